"""Awan, Kenney, Reimherr and Slavkovic (2019), one module a section."""

from dpverify.theorems.awan_2019 import (
    section_2_privacy,
    section_3_example,
    section_3_limits,
    section_3_mechanism,
    section_4_components,
    section_5_sampler,
    section_6_measures,
    section_6_simulation,
    section_6_tables,
    section_7_sampling,
)

CLAIMS = (
    *section_2_privacy.CLAIMS,
    *section_3_mechanism.CLAIMS,
    *section_3_limits.CLAIMS,
    *section_3_example.CLAIMS,
    *section_4_components.CLAIMS,
    *section_5_sampler.CLAIMS,
    *section_6_measures.CLAIMS,
    *section_6_simulation.CLAIMS,
    *section_6_tables.CLAIMS,
    *section_7_sampling.CLAIMS,
)
