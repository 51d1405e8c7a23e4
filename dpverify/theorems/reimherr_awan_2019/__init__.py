"""Reimherr and Awan (2019): the paper, its supplement and its poster, one module a section."""

from dpverify.theorems.reimherr_awan_2019 import (
    section_1_levelling,
    section_2_elliptical,
    section_3_equivalence,
    section_4_1_corollary_1,
    section_4_1_families,
    section_4_1_laplace,
    section_4_1_norm,
    section_4_1_theorem_3,
    section_4_2_gluing,
    section_4_2_recovery,
    section_4_2_theorem_4,
    section_4_2_theorem_5,
)

CLAIMS = (
    *section_1_levelling.CLAIMS,
    *section_2_elliptical.CLAIMS,
    *section_3_equivalence.CLAIMS,
    *section_4_1_norm.CLAIMS,
    *section_4_1_theorem_3.CLAIMS,
    *section_4_1_laplace.CLAIMS,
    *section_4_1_families.CLAIMS,
    *section_4_1_corollary_1.CLAIMS,
    *section_4_2_theorem_4.CLAIMS,
    *section_4_2_recovery.CLAIMS,
    *section_4_2_gluing.CLAIMS,
    *section_4_2_theorem_5.CLAIMS,
)
