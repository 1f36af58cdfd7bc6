"""The user's file, read and checked, every mistake reported at once."""

from mainstem.recipe.loading import from_flags, load
from mainstem.recipe.model import Cluster, Declared, Recipe

__all__ = ["Cluster", "Declared", "Recipe", "from_flags", "load"]
