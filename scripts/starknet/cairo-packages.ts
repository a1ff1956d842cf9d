import { fileURLToPath } from "node:url";

import { filesOf, type FolderFiles } from "../../test/support/snforge.js";

/** Where the workspace of the Cairo packages lies. */
export const cairoFolder = fileURLToPath(new URL("../../contracts/starknet/", import.meta.url));

/** Folders beside the workspace's members: packages of their own. */
const OTHER_PACKAGES = ["templates", "programs"];

/** The workspace as it is shipped, without the packages that are none of its members. */
export function cairoPackages(prefix = ""): FolderFiles {
  const files = Object.entries(filesOf(cairoFolder, prefix));
  const others = OTHER_PACKAGES.map((folder) => `${prefix}${folder}/`);
  return Object.fromEntries(
    files.filter(([path]) => !others.some((folder) => path.startsWith(folder))),
  );
}
