// SPDX-License-Identifier: MIT
mod prebuilt_test;
