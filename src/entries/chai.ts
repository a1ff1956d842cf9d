import { use } from "chai";

import { hdpChai } from "../plugin/chai-matchers.js";

use(hdpChai);

export { hdpChai } from "../plugin/chai-matchers.js";
