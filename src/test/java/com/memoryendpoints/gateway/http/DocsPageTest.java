package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page of the API as a browser shows it: all of it, of itself, and it calls the gateway. */
@Timeout(180)
class DocsPageTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  @RegisterExtension static final LiveApi API = LiveApi.over(DATABASE);

  private static Browser browser;
  @TempDir static Path profile;

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> program = Browser.program();
    if (program.isEmpty()) {
      System.err.println("==== NO CHROMIUM: the page at /docs is not tried in a browser ====");
    }
    Assumptions.assumeTrue(program.isPresent(), "chromium is not installed");
    browser = new Browser(program.get(), profile);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void everyCallIsShownAndTheBrowserHasNoComplaint() throws Exception {
    int calls = 0;
    for (var path : new OpenApi().root.path("paths")) {
      calls += path.size();
    }
    browser.open(API.url("/docs"));
    browser.awaitTrue("document.querySelectorAll('.opblock').length === " + calls);
    assertThat(browser.eval("document.querySelector('.info .title').textContent"))
        .startsWith("Lease gateway");
    assertThat(browser.eval("document.querySelector('.info').textContent"))
        .contains("Fencing tokens are integers");
    // From here, and from nowhere else.
    assertThat(
            browser.eval(
                "performance.getEntriesByType('resource')"
                    + ".every(each => each.name.startsWith(location.origin))"))
        .isEqualTo("true");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aCallIsTriedOutWithTheTokenThatWasGiven() throws Exception {
    browser.open(API.url("/docs"));
    browser.click(".auth-wrapper .authorize");
    browser.type("#auth-bearer-value", LiveApi.TOKEN);
    browser.click(".auth-btn-wrapper .authorize");
    browser.click(".auth-btn-wrapper .btn-done");
    String register = "#operations-memories-registerMemory ";
    browser.click(register + ".opblock-summary-control");
    browser.click(register + ".try-out__btn");
    browser.click(register + ".execute");
    String status = register + ".live-responses-table .response .response-col_status";
    browser.awaitTrue("document.querySelector('" + status + "')?.textContent?.startsWith('20')");
    assertThat(browser.eval("document.querySelector('" + register + ".curl')?.textContent"))
        .contains("Idempotency-Key")
        .doesNotContain(exampleKey());
    assertThat(DATABASE.rows("SELECT memory_id FROM memory_instances")).hasSize(1);
    // A page that is opened anew knows nothing of it.
    browser.open(API.url("/docs"));
    browser.click(".auth-wrapper .authorize.unlocked");
    assertThat(browser.eval("localStorage.length + sessionStorage.length")).isEqualTo("0");
    assertThat(browser.complaints()).isEmpty();
  }

  private static String exampleKey() throws Exception {
    return new OpenApi().root.at("/components/parameters/IdempotencyKeyRequired/example").asText();
  }

  @Test
  void thePageOfLinksLeadsThere() throws Exception {
    browser.open(API.url("/"));
    browser.click("a[href='/docs']");
    browser.awaitTrue("document.querySelectorAll('.opblock').length > 0");
    assertThat(browser.complaints()).isEmpty();
  }
}
