import os
import random
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

from classbalance.command import main, share
from classbalance.data import from_csv

HERE = Path(__file__).parent


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Runs the command in a folder of its own: exit code, lines of stdout, lines of stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()

    return call


def csv(text, name="own.csv"):
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


ORDINAL = "size,colour,grade\n" + "".join(f"{k % 17},{'red' if k % 3 else 'blue'},{['low', 'mid', 'high'][k % 17 // 6]}\n" for k in range(60))


def test_shipped_data_set_is_drawn_as_png_and_svg(run):
    code, files, said = run("wine", "-o", "charts")
    assert code == 0
    kinds = ["balance", "predicted-per-actual", "actual-per-predicted"]
    assert files == [f"charts/wine-{kind}.{ending}" for kind in kinds for ending in ("png", "svg")]
    assert Path(files[0]).read_bytes().startswith(b"\x89PNG") and "<svg" in Path(files[1]).read_text()
    assert said == ["classbalance: wine: 178 rows, 3 classes, LogisticRegression in 5 folds predicts 98.3% right"]


def test_same_bytes_again(run):
    run("wine", "--kind", "balance", "-o", "a")
    run("wine", "--kind", "balance", "-o", "b")
    for name in ("wine-balance.png", "wine-balance.svg"):
        assert Path("a", name).read_bytes() == Path("b", name).read_bytes()


def test_csv_with_ordinal_classes(run):
    code, files, _ = run(csv(ORDINAL), "--order", "low,mid,high", "--classifier", "DecisionTreeClassifier", "--folds", "3")
    assert code == 0 and len(files) == 8 and files[-1] == "own-heatmap.svg"


def test_each_row_is_predicted_by_a_fold_without_it(run):
    """The classes are drawn by lot, and a tree knows its training data by heart."""
    lot = random.Random(0)
    rows = "".join(f"{lot.random()},{lot.choice('xy')}\n" for _ in range(600))
    code, _, said = run(csv("a,b\n" + rows), "--classifier", "DecisionTreeClassifier", "--kind", "balance")
    right = float(said[-1].split()[-2].rstrip("%"))
    assert code == 0 and 40 < right < 60, said


def test_target_may_be_any_column(run):
    code, files, said = run(csv(ORDINAL), "--target", "colour", "--kind", "balance")
    assert code == 0 and len(files) == 2 and "2 classes" in said[-1]


@pytest.mark.parametrize("text, words, want", [
    ("", [], "own.csv is empty"),
    ("a,b\n", [], "own.csv has a header and no rows"),
    (ORDINAL, ["--target", "grad"], "own.csv has no column 'grad': did you mean 'grade'?"),
    (ORDINAL, ["--target", "zzz"], "own.csv has no column 'zzz': there are size, colour, grade"),
    (ORDINAL, ["--order", "low,high"], "--order must name each class of grade once: high,low,mid"),
    (ORDINAL, ["--order", "low,mid,high,top"], "--order must name each class of grade once: high,low,mid"),
    (ORDINAL, ["--separator", ";"], "own.csv has the column 'size,colour,grade' alone: nothing to predict it from (is the separator ';'?)"),
    (ORDINAL, ["--separator", ""], "--separator must be one character or \\t, not ''"),
    (ORDINAL, ["--separator", "::"], "--separator must be one character or \\t, not '::'"),
    ("a,b\n-1e400,x\n2,y\n" * 1 + "1,x\n2,y\n" * 9, [], "LogisticRegression does not take own: Input X contains infinity or a value too large for dtype('float64')."),
    (ORDINAL, ["--folds", "1"], "--folds must be at least 2, not 1"),
    (ORDINAL, ["--folds", "40"], "no class of own has 40 rows, one for each fold: give fewer --folds or more rows"),
    (ORDINAL, ["--classifier", "RandomForest"], "scikit-learn has no classifier 'RandomForest': did you mean 'RandomForestClassifier'?"),
    (ORDINAL, ["--classifier", "VotingClassifier"], "--classifier VotingClassifier cannot be made without arguments: give module:function that makes it"),
    (ORDINAL, ["--classifier", "SelfTrainingClassifier"],
     "--classifier SelfTrainingClassifier cannot be made without arguments: give module:function that makes it"),
    (ORDINAL, ["--classifier", "nosuchmodule:X"], "--classifier nosuchmodule:X: No module named 'nosuchmodule'"),
    (ORDINAL, ["--classifier", "json:loads"], None),
    (ORDINAL, ["--classifier", "builtins:dict"], None),
    (ORDINAL, ["--kind", "pie"], None),
    (ORDINAL, ["--seed", "x"], None),
    (ORDINAL, ["--seed", "-1"], "--seed must be within 0 to 4294967295, not -1"),
    (ORDINAL, ["--seed", "4294967296"], "--seed must be within 0 to 4294967295, not 4294967296"),
    ("a,b\n" + '"1,5",x\n"-2,75",y\nNA,y\n' * 9, [], "own.csv: a holds numbers with a comma, such as 1,5: give --decimal , if it is the decimal sign, take it out if it is between thousands, or give --decimal . if they are words"),
    ("a;b\n" + "3;x\n,14;y\n 1,5e3;y\nunknown;x\n" * 9, ["--separator", ";"],
     "own.csv: a holds numbers with a comma, such as ,14: give --decimal , if it is the decimal sign, take it out if it is between thousands, or give --decimal . if they are words"),
    (ORDINAL, ["--nonsense"], None),
    ("a,b,b\n" + "1,x,y\n" * 9, ["--target", "b"], "own.csv has 2 columns named 'b'"),
    ("a,b\n1,x\n2,x\n3,x\n", [], "all rows have the same b: there is nothing to tell apart"),
    ("a,b\n1,\n2,\n", [], "no row has a b"),
    ("a,b\n,x\n,y\n", [], "own.csv: all columns but 'b' are empty"),
    ("a,b\n" + "".join(f"{k},{k * 1.5}\n" for k in range(300)), [], "b has 300 different values: a chart shows at most 100 classes"),
    ("a,b\n1,x\n2,y,z,q\n", [], "own.csv: line 3 has 4 fields, the header 2"),
    ("a,b\n" + '1,"x\ny",z\n' * 9, [], "own.csv: line 3 has 3 fields, the header 2"),
    ("a,b\n" + "1,x,\n2,y,\n" * 9, [], "own.csv: line 2 has 3 fields, the header 2"),
    ("a,b\n" + "1,x\n2,y\n" * 9 + "3\n", [], "own.csv: line 20 has 1 field, the header 2"),
    ("a,b\n" + "".join(f"n{k},{k % 2}\n" for k in range(300)), [],
     "own.csv: nothing to predict 'b' from: a has 300 different words, more than 200, and is left out"),
    (b"a,b\n1,\xff\xfe\n", [], None),
    (b"\x89PNG\r\n\x1a\n\x00\x00", [], None),
    ("a,b\n1,inf\n2,inf\n3,1\n", [], None),
])
def test_bad_input_is_one_line(run, text, words, want):
    code, files, said = run(csv(text), *words)
    assert (code, files) == (2, [])
    assert len(said) == 1 and said[0].startswith("classbalance: ")
    if want:
        assert said == ["classbalance: " + want]


SOMEBODYS = """
import sys
from sklearn.dummy import DummyClassifier

class Good(DummyClassifier): pass
class Raises(DummyClassifier):
    def __init__(self): raise KeyError("weights")
class Leaves(DummyClassifier):
    def __init__(self): sys.exit(3)
class Varies(DummyClassifier):
    def __init__(self, *many): pass
class Changes(DummyClassifier):
    def __init__(self, strategy="prior"): self.strategy = "".join(list(strategy))
class Breaks(DummyClassifier):
    def predict(self, X): raise NotImplementedError
class Dreams(DummyClassifier):
    def predict(self, X): return ["dreamt"] * len(X)
class Short(DummyClassifier):
    def predict(self, X): return super().predict(X)[1:]
class Counts(DummyClassifier):
    def predict(self, X): return [7] * len(X)
"""


@pytest.mark.parametrize("name, want", [
    ("Raises", "--classifier somebodys:Raises: KeyError: 'weights'"),
    ("Leaves", "--classifier somebodys:Leaves: SystemExit: 3"),
    ("Varies", "somebodys:Varies does not take own: scikit-learn estimators should always specify"),
    ("Changes", "somebodys:Changes does not take own: Cannot clone object"),
    ("Breaks", "somebodys:Breaks does not take own: NotImplementedError()"),
    ("Dreams", "somebodys:Dreams does not take own: it predicts dreamt, which is none of the classes"),
    ("Short", "somebodys:Short does not take own: "),
    ("Counts", "somebodys:Counts does not take own: "),
    ("__doc__", "--classifier somebodys:__doc__: TypeError: 'NoneType' object is not callable"),
    ("", "--classifier somebodys:: AttributeError: "),
])
def test_a_broken_classifier_is_one_line(run, monkeypatch, tmp_path, name, want):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "somebodys", raising=False)
    Path("somebodys.py").write_text(SOMEBODYS)
    assert run(csv(ORDINAL), "--classifier", "somebodys:Good", "--kind", "balance")[0] == 0
    code, files, said = run(csv(ORDINAL), "--classifier", f"somebodys:{name}")
    assert (code, files, len(said)) == (2, [], 1) and said[0].startswith("classbalance: " + want), said


@pytest.mark.parametrize("text, want", [("def f(:", "SyntaxError"), ("1 / 0", "ZeroDivisionError: division by zero"), ("exit(1)", "SystemExit: 1")])
def test_a_broken_module_is_one_line(run, monkeypatch, tmp_path, text, want):
    monkeypatch.syspath_prepend(tmp_path)
    Path("broken.py").write_text(text)
    code, files, said = run(csv(ORDINAL), "--classifier", "broken:X")
    assert (code, files, len(said)) == (2, [], 1) and said[0].startswith("classbalance: --classifier broken:X: " + want), said


def test_names_with_control_characters_leave_whole_files(run):
    classes = ["red\x1b[31m", "bell\a", "none\x00", "last\uffff", "next\x85line"]
    rows = "".join(f"{k % 5},{classes[k % 5]}\n" for k in range(48)) + "5,rare\x1b[2J\n"
    code, files, said = run(csv("a,b\n" + rows, "own\x01.csv"))
    assert code == 0 and len(files) == 6 and "rare\ufffd[2J;" in said[0]
    for file in files[1::2]:
        xml.etree.ElementTree.parse(file)


def test_who_reads_what_it_prints_stops_reading(tmp_path):
    command = 'exec 3>&1; { "$@" 3>&-; echo $? >&3; } | true'
    run = ["sh", "-c", command, "-", sys.executable, "-m", "classbalance", "wine", "--kind", "balance", "-o", str(tmp_path)]
    done = subprocess.run(run, cwd=HERE.parent, env={**os.environ, "PYTHONUNBUFFERED": ""}, capture_output=True, text=True)
    assert done.stdout == "1\n" and done.stderr.count("\n") == 1 and "98.3% right" in done.stderr


@pytest.mark.parametrize("out, code, want", [(">&-", 0, "98.3% right"), pytest.param(">/dev/full", 1, "classbalance: write stdout: No space left on device", marks=pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="only some systems have it"))])
def test_no_place_for_what_it_prints(tmp_path, out, code, want):
    run = ["sh", "-c", f'exec "$@" {out}', "-", sys.executable, "-m", "classbalance", "wine", "--kind", "balance", "-o", str(tmp_path)]
    done = subprocess.run(run, cwd=HERE.parent, env={**os.environ, "PYTHONUNBUFFERED": ""}, capture_output=True, text=True)
    assert done.returncode == code and done.stderr.endswith(want + "\n") and done.stderr.count("\n") == 1 + code, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are UTF-8")
def test_a_file_whose_name_is_no_text(tmp_path):
    name = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    with open(name, "w") as file:
        file.write(ORDINAL)
    command = [sys.executable, "-m", "classbalance", name, "--kind", "balance", "-o", tmp_path]
    done = subprocess.run(command, cwd=HERE.parent, env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"}, capture_output=True)
    assert done.returncode == 0 and done.stdout.splitlines()[0].endswith(b"/caf\xe9-balance.png"), done.stderr


def test_files_that_cannot_be_read_or_written(run):
    assert run("nowhere.csv")[::2] == (2, ["classbalance: read nowhere.csv: No such file or directory"])
    assert run(".")[::2] == (2, ["classbalance: read .: Is a directory"])
    assert run("win")[::2][0] == 2
    Path("taken").write_text("")
    assert run("wine", "-o", "taken")[::2] == (1, ["classbalance: write taken: File exists"])
    assert run()[0] == 2
    assert run("wine", "--target", "x")[::2] == (2, ["classbalance: --target and --order are for a CSV, not for wine"])


def test_rows_without_a_class_are_left_out_and_counted(run):
    code, _, said = run(csv("a,b\n" + "1,x\n2,y\n" * 10 + "3,\n"), "--kind", "balance")
    assert code == 0 and said[0] == "classbalance: note: 1 of 21 rows have no b and are left out"


def test_a_class_with_fewer_rows_than_folds_is_named(run):
    code, _, said = run(csv("a,b\n" + "1,x\n2,y\n" * 10 + "3,rare\n"), "--kind", "heatmap")
    assert code == 0
    assert said[0].startswith("classbalance: note: fewer rows than folds: rare;") and len(said) == 2


def test_names_of_columns_and_classes_of_any_script(run):
    text = "größe,クラス\n" + "1,ja $5\n2,_nein\n" * 8 + "3,é\n" * 6
    code, files, said = run(csv("\ufeff" + text, "größe $.csv"), "--target", "クラス")
    assert code == 0 and len(files) == 6, said
    assert run(csv(text), "--target", "größe")[0] == 0


def test_yes_and_no_stay_words(run):
    code, _, said = run(csv("a\tb\n" + "1\tTrue\n2\tFalse\n" * 8), "--separator", "\\t", "--order", "True,False", "--kind", "heatmap")
    assert code == 0, said


@pytest.mark.slow
def test_whole_numbers_stay_whole_where_some_are_missing(run):
    code, _, said = run(csv("a,b\n" + "1,0\n2,1\n" * 8 + "3,\n"), "--order", "0,1")
    assert code == 0, said


@pytest.mark.slow
def test_interrupted(tmp_path):
    """Ctrl-C ends it with one line and 130."""
    script = "import os, signal, sys\nfrom classbalance import command as m\nm.draw = lambda *_: os.kill(os.getpid(), signal.SIGINT)\nsys.exit(m.main(['wine']))"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(HERE.parent)}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (130, "classbalance: interrupted\n")


def rows(*classes):
    return "a,b\n" + "".join(f"{k % len(classes)},{classes[k % len(classes)]}\n" for k in range(10 * len(classes)))


@pytest.mark.parametrize("classes", [["None", "NA", "N/A", "null", "nan", "NULL", "x"], ["false", "true"], ["01", "1", "10"],
                                     ["9007199254740992", "9007199254740993"], ["18446744073709551615", "18446744073709551614", "5"]])
def test_classes_are_what_is_written(run, classes):
    """No word stands for nothing, and none for another."""
    code, _, said = run(csv(rows(*classes)), "--kind", "balance", "--order", ",".join(classes), "--classifier", "DecisionTreeClassifier")
    assert code == 0, said
    assert said == [f"classbalance: own: {10 * len(classes)} rows, {len(classes)} classes, DecisionTreeClassifier in 5 folds predicts 100.0% right"]


@pytest.mark.parametrize("classes, want", [
    (["10", "9", "-1"], [-1, 9, 10]), (["1.0", "0.0"], [0, 1]), (["10.5", "9.5", "1e3"], ["9.5", "10.5", "1e3"]),
    (["18446744073709551615", "5"], ["5", "18446744073709551615"]), (["b", "a", "10"], ["10", "a", "b"]),
])
def test_numbers_are_in_their_order(run, classes, want):
    assert from_csv(csv(rows(*classes)), None)[0].labels == want


def test_numbers_that_are_not_there_are_no_words(run):
    text = "a,c,b\n" + "1.5,None,x\nNA,red,y\n" * 10
    X = from_csv(csv(text), None)[0].X
    assert X["a"].isna().sum() == 10 and X["a"].max() == 1.5
    assert X["c"].tolist() == ["None", "red"] * 10


def with_commas(sign=","):
    lot = random.Random(1)
    sizes = [lot.uniform(0, 9) for _ in range(120)]
    return "size;grade\n" + "".join(f"{size:.2f};{'low' if size < 4 else 'high'}\n".replace(".", sign) for size in sizes)


def test_decimal_commas_are_read_as_numbers(run):
    source, notes = from_csv(csv(with_commas()), None, None, ";", ",")
    assert source.X.equals(from_csv(csv(with_commas(".")), None, None, ";")[0].X) and notes == []
    mixed = "a;c;b\n" + "1,5;7;x\nNA;2.5;y\n" * 10
    source, notes = from_csv(csv(mixed), None, None, ";", ",")
    assert source.X["a"].tolist()[0] == 1.5 and source.X["a"].isna().sum() == 10
    assert source.X["c"].tolist() == ["7", "2.5"] * 10, "2.5 may be 25"
    assert notes == ["c is taken as words, since 2.5 is no number"]


@pytest.mark.parametrize("value, words, note", [
    ("1,5", ["--decimal", "."], "size is taken as words, since 1,5 is no number"),
    ("1,234,567", [], "size is taken as words, since 1,234,567 is no number"),
    ("1.234,5", [], "size is taken as words, since 1.234,5 is no number"),
    ("1.5", ["--decimal", ","], "size is taken as words, since 1.5 is no number"),
    ("unknown", [], "size is taken as words, since unknown is no number"),
    ("Main Street 5, left", [], None),
])
def test_numbers_do_not_become_words_unnoticed(run, value, words, note):
    most = 30 * f"{value};x\n" if note and "unknown" not in note else f"{value};x\n"
    text = "size;b\n" + ("3;x\n4;y\n" * 12 if note else "here;x\nthere;y\n" * 12) + most
    code, _, said = run(csv(text), "--separator", ";", "--kind", "balance", *words)
    assert code == 0 and said[:-1] == ([f"classbalance: note: {note}"] if note else []), said


def test_blanks_alone_are_nothing(run):
    source, notes = from_csv(csv("a,c,b\n" + "1,red,x\n  ,red ,y\n3,\t, \n" * 10), None)
    assert notes == ["10 of 30 rows have no b and are left out"] and source.labels == ["x", "y"]
    assert source.X["a"].tolist()[0] == 1 and source.X["a"].isna().sum() == 10
    assert source.X["c"].tolist() == ["red"] * 20


def test_a_separator_at_the_end_of_all_lines_is_no_column(run):
    source, _ = from_csv(csv("a,b,\n" + "1,x,\n2,y,\n" * 9), None)
    assert (source.X.columns.tolist(), source.labels) == (["a"], ["x", "y"])


def test_words_that_hardly_recur_are_left_out(run):
    """One column a name would take gigabytes."""
    text = "name,age,b\n" + "".join(f"person{k},{k % 2},{k % 2}\n" for k in range(20000))
    code, _, said = run(csv(text), "--kind", "balance")
    assert code == 0 and "100.0% right" in said[-1]
    assert said[0] == "classbalance: note: name has 20000 different words, more than 200, and is left out"


def test_out_of_memory_is_one_line(run, monkeypatch):
    def fail(*_):
        raise MemoryError("Unable to allocate 9 GiB")

    monkeypatch.setattr("classbalance.command.predict", fail)
    assert run("wine") == (1, [], ["classbalance: out of memory: Unable to allocate 9 GiB"])


def test_no_chart_overwrites_another(run):
    Path("d").mkdir()
    want = "classbalance: own.csv and d/Own.csv would write the same files, Own-…: draw them one at a time, with another --out"
    assert run(csv(ORDINAL), csv(ORDINAL, "d/Own.csv")) == (2, [], [want])
    assert run("wine", "wine")[0] == 2


@pytest.mark.parametrize("name", ["MultinomialNB", "ComplementNB", "CategoricalNB", "GaussianNB"])
def test_classifiers_get_numbers_that_they_take(run, name):
    both = "".join(f"{k % 17 - 5},{16 - k % 17},{['low', 'mid', 'high'][k % 17 // 6]}\n" for k in range(60))
    code, _, said = run(csv("size,rest,grade\n" + both), "wine", "--classifier", name, "--kind", "balance")
    assert code == 0, said
    right = [float(line.split()[-2].rstrip("%")) for line in said]
    assert min(right) > 60, said


@pytest.mark.parametrize("module", ["argparse", "numpy", "matplotlib", "sklearn"])
def test_interrupted_while_it_loads(tmp_path, module):
    (tmp_path / f"{module}.py").write_text("import os, signal, time\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(9)\nexcept BaseException:\n    pass\n")
    done = subprocess.run([sys.executable, "-m", "classbalance", "wine"], env={**os.environ, "PYTHONPATH": f"{tmp_path}:{HERE.parent}"}, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(("right", "text"), [(1, "100.0%"), (0.99999, "over 99.9%"), (0.9994, "99.9%"), (0.5, "50.0%"), (0.0001, "under 0.1%"), (0, "0.0%")])
def test_all_are_right_only_where_all_are(right, text):
    assert share(right) == text
