"""The gallery: certificates that are made anew to the same bytes; each rule of the kernel is used by one."""
