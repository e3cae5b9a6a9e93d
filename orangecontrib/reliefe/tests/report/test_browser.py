"""The report in a real browser: headless Chromium, where it is installed (Debian: chromium, chromium-driver)."""

import shutil
import time

import numpy as np
import pandas as pd
import pytest

from orangecontrib.reliefe.core import rank, write_report

webdriver = pytest.importorskip("selenium.webdriver")
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys

BROWSER = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
MARKUP = "<img src=x onerror=alert(1)>"
N_FEATURES = 450

pytestmark = pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no chromium, or no chromedriver")


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for argument in (
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-quic",
        "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
        f"--user-data-dir={tmp_path_factory.mktemp('browser')}",
    ):  # fmt: skip
        options.add_argument(argument)
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A report of many features, one of which has markup for a name."""
    random = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = pd.DataFrame(random.normal(size=(60, N_FEATURES)), columns=[f"gene {j}" for j in range(N_FEATURES)])
    X["gene 7"] += 2 * y
    X = X.rename(columns={"gene 9": MARKUP})
    path = tmp_path_factory.mktemp("report") / "result.html"
    write_report(rank(X, y, "multisurf", significance=2), path, X, y)
    return path.as_uri()


@pytest.fixture
def page(browser, address):
    browser.get(address)
    return browser


def cells(page, column):
    """Texts of a column, read at once: an element that is asked for later may be gone."""
    selector = f"tbody td:nth-child({column})"
    return page.execute_script("return [...document.querySelectorAll(arguments[0])].map(c => c.innerText)", selector)


def header(page, title):
    buttons = page.find_elements(By.CSS_SELECTOR, "thead button")
    return next(button for button in buttons if button.text.startswith(title))


def test_sorting_by_a_click_and_by_keys(page):
    assert cells(page, 2)[0] == "gene 7"
    header(page, "score").click()
    scores = [float(text) for text in cells(page, 3)]
    assert scores == sorted(scores, reverse=True)
    header(page, "score").send_keys(Keys.ENTER)
    scores = [float(text) for text in cells(page, 3)]
    assert scores == sorted(scores)
    assert header(page, "score").find_element(By.XPATH, "..").get_attribute("aria-sort") == "ascending"
    header(page, "feature").click()
    assert cells(page, 2)[1:4] == ["gene 0", "gene 1", "gene 2"]  # numbers in names count as numbers


def test_filter_and_more(page):
    assert len(cells(page, 2)) == 200
    assert page.find_element(By.ID, "count").text == f"200 of {N_FEATURES} features shown"
    page.find_element(By.ID, "more").click()
    page.find_element(By.ID, "more").click()
    assert len(cells(page, 2)) == N_FEATURES
    assert not page.find_element(By.ID, "more").is_displayed()
    page.find_element(By.ID, "filter").send_keys("GENE 44")
    assert sorted(cells(page, 2)) == ["gene 44", *(f"gene 44{j}" for j in range(10))]


def test_markup_is_text(page):
    page.find_element(By.ID, "filter").send_keys("<img")
    assert cells(page, 2) == [MARKUP]
    assert not page.find_elements(By.TAG_NAME, "img")


def test_tab_reaches_the_table_and_its_tools(page):
    body = page.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    reached = []
    for _ in range(5):
        focused = page.switch_to.active_element
        reached.append(focused.get_attribute("id") or focused.get_attribute("class") or focused.tag_name)
        focused.send_keys(Keys.TAB)
    assert reached[:4] == ["skip", "filter", "copy", "scroll"]


@pytest.mark.parametrize(("scheme", "is_dark"), [("light", False), ("dark", True)])
def test_light_and_dark(page, scheme, is_dark):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    color = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    red = int(color.split("(")[1].split(",")[0])
    assert (red < 128) == is_dark


@pytest.mark.parametrize(
    ("ink", "paper"), [("rgb(20, 20, 20)", "rgb(255, 255, 255)"), ("rgb(221, 221, 221)", "rgb(17, 17, 17)")]
)
def test_a_notebook_gives_its_colours_to_the_table(browser, tmp_path, ink, paper):
    random = np.random.default_rng(0)
    ranking = rank(pd.DataFrame(random.normal(size=(30, 25))), np.arange(30) % 2, "relieff")
    path = tmp_path / "notebook.html"
    style = f"<style>body {{ color: {ink}; background: {paper}; width: 400px }}</style>"
    path.write_text(f"<!DOCTYPE html>{style}{ranking._repr_html_()}", encoding="utf-8")
    browser.get(path.as_uri())
    for selector in "th", "td.text", "td.score span:last-child", "p":
        cell = browser.find_element(By.CSS_SELECTOR, selector)
        assert cell.value_of_css_property("color").replace("rgba", "rgb").replace(", 1)", ")") == ink
        assert cell.value_of_css_property("background-color") == "rgba(0, 0, 0, 0)"
    bars = [bar.size["width"] for bar in browser.find_elements(By.CSS_SELECTOR, ".bar:not(.negative)")]
    assert bars == sorted(bars, reverse=True)
    assert bars[0] > 50
    assert len(browser.find_elements(By.CSS_SELECTOR, "tbody tr")) == 20
    assert browser.execute_script("return document.documentElement.scrollWidth") <= browser.get_window_size()["width"]


@pytest.mark.parametrize("width", [1400, 400])
def test_no_sideways_scrolling(page, width):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_no_errors_and_no_requests(browser, address):
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(address)
    header(browser, "score").click()
    assert browser.get_log("browser") == []
    requests = [entry for entry in browser.get_log("performance") if 'Network.requestWillBeSent"' in entry["message"]]
    assert len(requests) == 1
    assert address in requests[0]["message"]


@pytest.mark.slow
def test_many_features_open_and_sort_soon(browser, tmp_path):
    random = np.random.default_rng(0)
    names = [f"ENSG{j:011d}" for j in random.permutation(20_000)]
    X = pd.DataFrame(random.normal(size=(30, 20_000)), columns=names)
    y = np.arange(30) % 2
    path = tmp_path / "genes.html"
    rank(X, y, "multisurf", significance=2).report(path, X, y)
    start = time.perf_counter()
    browser.get(path.as_uri())
    assert time.perf_counter() - start < 2
    start = time.perf_counter()
    header(browser, "feature").click()
    assert cells(browser, 2)[0] == f"ENSG{0:011d}"
    assert time.perf_counter() - start < 3  # localeCompare needs 2 to 4 s, and the cells are read here
