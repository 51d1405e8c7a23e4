"""How far the papers' claims that mechanisms rest on have been checked, as `dpverify theorems ID` finds them.

`theorems` tests what ships here and so stands above it: this table is what it says, and a test compares the two.
"""

from __future__ import annotations

STATUS = {
    "awan-2019:proposition-3.1": "verified, as corrected",
    "awan-2019:theorem-4.2": "verified",
    "hall-2012:equation-3.7": "proved",
    "hall-2012:proposition-1.2.4": "verified",
    "hall-2012:proposition-1.3.1": "verified",
    "hall-2012:proposition-1.3.4": "verified",
    "hall-2012:proposition-2.4.3": "verified",
    "hall-2012:proposition-3.2.2": "verified, as corrected",
    "hall-2012:proposition-5.2.1": "proved",
    "hall-2012:proposition-5.2.2": "proved",
    "hall-2012:proposition-5.2.3": "proved",
    "hall-2012:section-1.3.5-programme": "verified",
    "hall-2012:section-2.3.3-equalizer": "verified",
    "hall-2012:section-2.4-laplace": "verified",
    "hall-2012:section-3.3.3-minimisers": "verified",
    "hall-2012:section-4.4.1-scale": "verified, as corrected",
    "hall-2012:section-4.4.2-sensitivity": "verified, as corrected",
    "hall-2012:section-4.4.2-sensitivity-d": "verified, as corrected",
    "hall-2012:section-5.3-smooth": "verified, as corrected",
    "reimherr-awan-2019:corollary-1": "verified, as corrected",
    "reimherr-awan-2019:theorem-3": "verified, as corrected",
    "reimherr-awan-2019:theorem-5": "verified, as corrected",
}
