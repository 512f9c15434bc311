// SPDX-FileCopyrightText: 2026 The Ferry Authors
// SPDX-License-Identifier: Apache-2.0

#include "ferry/tools/ferry_driver.h"

int main(int argc, char** argv) { return ferry::RunFerry(argc, argv); }
