"""Classifiers for the command, by name."""

import importlib

from sklearn.base import is_classifier
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, OneHotEncoder, StandardScaler
from sklearn.utils import all_estimators, get_tags

from .data import BadInput, nearest


def named(name):
    """A classifier of scikit-learn by the name of its class, or anybody's as module:Class."""
    if name == "LogisticRegression":
        return LogisticRegression(max_iter=2000)
    if ":" in name:
        module, _, cls = name.partition(":")
        try:
            made = getattr(importlib.import_module(module), cls)()
            fits = hasattr(made, "get_params") and is_classifier(made)
        except ImportError as err:
            raise BadInput(f"--classifier {name}: {err}") from None
        except (Exception, SystemExit) as err:  # whatever is wrong with somebody's module
            raise BadInput(f"--classifier {name}: {type(err).__name__}: {err}") from None
        if not fits:
            raise BadInput(f"--classifier {name} is no classifier in the manner of scikit-learn")
        return made
    known = dict(all_estimators(type_filter="classifier"))
    if name not in known:
        raise BadInput(f"scikit-learn has no classifier {name!r}{nearest(name, known)}")
    try:
        made = known[name]()
        get_tags(made)  # those of the classifier in it, which SelfTrainingClassifier() lacks
        return made
    except (TypeError, AttributeError):
        raise BadInput(f"--classifier {name} cannot be made without arguments: give module:function that makes it") from None


def prepared(classifier, X):
    """Put in front of a classifier what a table of numbers and words needs. It is part of
    what is fitted, so that no fold learns from the rows it is to predict."""
    numbers = make_pipeline(SimpleImputer(strategy="median"), scaler(classifier))
    if not hasattr(X, "columns"):
        return make_pipeline(numbers, classifier)
    words = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include=["number", "bool"])),
        (words, make_column_selector(dtype_exclude=["number", "bool"])),
    )
    return make_pipeline(columns, classifier)


def scaler(classifier):
    """What brings numbers into the range that the classifier takes: some want them from 0
    up, and some want none at all but categories."""
    wants = get_tags(classifier).input_tags
    if wants.positive_only and wants.categorical:
        return KBinsDiscretizer(encode="ordinal", strategy="uniform")
    return MinMaxScaler(clip=True) if wants.positive_only else StandardScaler()
