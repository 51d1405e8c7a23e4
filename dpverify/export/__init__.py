"""A certificate's claim, stated and proved again in somebody else's proof system."""
