"""Sets of vectors, and the largest q(v) = v' Sigma^-1 v over each: q is convex, so that it is at an extreme point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from .norms import Norm, Vector, below_eigenvalues, inner, integers, least_eigenvalue
from .refusal import require

MOST_PAIRS, MOST_VERTICES = 2 * 10**6, 1 << 14


@dataclass(frozen=True)
class Largest:
    """`lower` <= max q <= `upper`, equal but for a ball in the plain norm; `at` is where q is `lower`."""

    lower: Fraction
    upper: Fraction
    at: Vector


@dataclass(frozen=True)
class Points:
    """A list of vectors, or all that lie between them."""

    points: tuple[Vector, ...]

    @property
    def size(self) -> int:
        return len(self.points[0])

    def largest(self, norm: Norm) -> Largest:
        """At one of the points."""
        return _best(norm, self.points)

    def differences(self, norm: Norm) -> Largest:
        """By the Gram matrix G = P' Sigma^-1 P: the squared distance of points i and j is G_ii + G_jj - 2 G_ij."""
        points = list(dict.fromkeys(self.points))
        require(len(points) ** 2 <= MOST_PAIRS, f"more than {int(MOST_PAIRS**0.5)} different points to compare")
        whole, unit = integers(points)
        images = [norm.image(p) for p in whole]
        own = [inner(p, image) for p, image in zip(whole, images, strict=True)]
        best, pair = 0, (0, 0)
        for i, p in enumerate(whole):
            for j in range(i):
                size = own[i] + own[j] - 2 * inner(p, images[j])
                if size > best:
                    best, pair = size, (i, j)
        value = Fraction(best, norm.common * unit**2)
        i, j = pair
        return Largest(value, value, tuple(a - b for a, b in zip(points[i], points[j], strict=True)))


@dataclass(frozen=True)
class Box:
    """All vectors between two, entry by entry."""

    low: Vector
    high: Vector

    @property
    def size(self) -> int:
        return len(self.low)

    def largest(self, norm: Norm) -> Largest:
        """At a corner; where Sigma is diagonal, at the farther end of each side."""
        if norm.diagonal is not None:
            corner = tuple(max(low, high, key=abs) for low, high in zip(self.low, self.high, strict=True))
            return _best(norm, [corner])
        require(2**self.size <= MOST_VERTICES, "a box of so many dimensions needs a diagonal covariance")
        return _best(norm, list(product(*({low, high} for low, high in zip(self.low, self.high, strict=True)))))

    def differences(self, norm: Norm) -> Largest:
        """The differences of two vectors of a box are a box."""
        width = tuple(high - low for low, high in zip(self.low, self.high, strict=True))
        return Box(tuple(-x for x in width), width).largest(norm)


@dataclass(frozen=True)
class Ball:
    """All vectors of at most this length: plain ("l2"), or in the norm of Sigma itself ("mahalanobis")."""

    radius: Fraction
    size: int
    norm: str

    def largest(self, norm: Norm) -> Largest:
        """radius^2 in Sigma's own norm; radius^2 over the least eigenvalue of Sigma in the plain one."""
        if self.norm == "mahalanobis":
            return Largest(self.radius**2, self.radius**2, ())
        diagonal = norm.diagonal
        if diagonal is not None:
            best = max(range(self.size), key=lambda i: diagonal[i])
            return _best(norm, [tuple(self.radius * int(i == best) for i in range(self.size))])
        value, direction = least_eigenvalue(norm)
        length = sum((x * x for x in direction), Fraction(0))
        return Largest(self.radius**2 * norm.squared(direction) / length, self.radius**2 / value, direction)

    def differences(self, norm: Norm) -> Largest:
        """Two vectors of a ball differ by one of the ball of twice the radius."""
        return Ball(2 * self.radius, self.size, self.norm).largest(norm)

    def bounded(self, norm: Norm, upper: Fraction) -> bool:
        """Whether q <= `upper` on the ball, in the plain norm: the least eigenvalue is radius^2/upper or more."""
        assert norm.covariance is not None
        return upper > 0 and below_eigenvalues(norm.covariance, self.radius**2 / upper)


@dataclass(frozen=True)
class Counts:
    """Vectors of zeros and ones with at most so many ones: what one record adds to counts."""

    size: int
    most: int

    def largest(self, norm: Norm) -> Largest:
        """At one of the vectors; where Sigma is diagonal, with ones where its inverse is largest."""
        return self._heaviest(norm, self.most) or _best(norm, self._listed(0))

    def differences(self, norm: Norm) -> Largest:
        """Two such vectors differ by one with at most so many ones, and as many minus ones."""
        return self._heaviest(norm, min(2 * self.most, self.size)) or _best(norm, self._listed(self.most))

    def _heaviest(self, norm: Norm, ones: int) -> Largest | None:
        """With `ones` entries of absolute value 1, on a diagonal the signs being of no account."""
        diagonal = norm.diagonal
        if diagonal is None:
            return None
        chosen = sorted(range(self.size), key=lambda i: -diagonal[i])[:ones]
        minus = set(chosen[self.most :])
        vector = (Fraction((i in chosen) - 2 * (i in minus)) for i in range(self.size))
        return _best(norm, [tuple(vector)])

    def _listed(self, minus: int) -> list[Vector]:
        found: list[Vector] = []
        for vector in self._vectors(minus):
            require(len(found) < MOST_VERTICES, f"more than {MOST_VERTICES} differences need a diagonal covariance")
            found.append(vector)
        return found

    def _vectors(self, minus: int) -> Iterator[Vector]:
        for count in range(1, self.most + 1):
            for ones in combinations(range(self.size), count):
                rest = [i for i in range(self.size) if i not in ones]
                for less in range(min(minus, count, len(rest)) + 1):  # with more minus ones it is the other's negative
                    for zeros in combinations(rest, less):
                        yield tuple(Fraction((i in ones) - (i in zeros)) for i in range(self.size))


Body = Points | Box | Ball | Counts


def _best(norm: Norm, points: Sequence[Vector]) -> Largest:
    whole, unit = integers(points)
    sizes = [inner(p, norm.image(p)) for p in whole]
    k = max(range(len(points)), key=lambda i: sizes[i])
    value = Fraction(sizes[k], norm.common * unit**2)
    return Largest(value, value, points[k])
