// Reads Debian's package index and answers questions about it.

import PackageIndexCore
