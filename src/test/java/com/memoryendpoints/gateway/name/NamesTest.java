package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators can change about names, what they cannot, and what a refusal says. */
class NamesTest {
  private static final UUID ID = UUID.fromString("018f3b3a-9b5c-7d12-bc01-9a2cfe123456");
  private static final String SUFFIX = "-018f3b3a-9b5c-7d12-bc01-9a2cfe123456";

  private final Names strict = Names.strict();
  private final Names connecting = new Names(Connectors.of("-_"), null);
  private final List<Reason> reported = new ArrayList<>();
  private final Names reporting = new Names(Connectors.NONE, reported::add);

  @ParameterizedTest
  @CsvSource({
    "agent-one, U+002D",
    "agent\uFF0Done, U+002D",
    "p\u0430ypal, U+0430",
    "\u09678\u09E9, U+0038",
    "\u05D0a, U+0061",
    "1\u05E9, U+0031",
    "a\u0301\u0301, U+0301",
    "i\u0307, U+0307",
    "a\uD83E\uDD16, U+1F916",
    "\u0301a, U+0301",
    "ab\u4E00\u0915\u4E00, U+0915"
  })
  void theFirstCodePointToBlameIsNamedAndTheNameIsNot(String display, String codePoint) {
    Refusal refusal = refused(strict, display);
    assertThat(refusal.problem()).isEqualTo(Problem.INVALID_NAME);
    assertThat(refusal.members()).containsOnlyKeys("reason", "code_point");
    assertThat(refusal.members()).containsEntry("code_point", codePoint);
    assertThat(refusal.getMessage()).doesNotContain(display);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   "})
  void whereNoCodePointIsToBlameNoneIsNamed(String display) {
    assertThat(refused(strict, display).members()).containsOnlyKeys("reason");
    assertThat(refused(strict, "a".repeat(65)).members()).containsOnlyKeys("reason");
  }

  @ParameterizedTest
  @CsvSource({
    "Agent-One, agent-one, agent-one",
    "my_agent_1, my_agent_1, rny_agent_l",
    "a-b_c, a-b_c, a-b_c",
    "My -Agent, my-agent, rny-agent",
    "\u0430\u0433-\u0435, \u0430\u0433-\u0435, ar-e",
    "cafe\u0301-1, caf\u00E9-1, cafe\u0301-l"
  })
  void connectorsStandSinglyBetweenLettersAndDigits(String display, String canonical, String key) {
    AgentName name = connecting.of(display);
    assertThat(name.canonical()).isEqualTo(canonical);
    assertThat(name.key()).isEqualTo(key);
    assertThat(connecting.of(canonical).key()).isEqualTo(name.key());
    assertThat(refused(strict, display).members()).containsEntry("reason", "NAME_PUNCTUATION");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-a", "a-", "a--b", "a-_b", "_", "a-\u0301b", "a.b", "a\u2010b"})
  void aConnectorAnywhereElseIsPunctuation(String display) {
    assertThat(refused(connecting, display).members().get("reason")).isEqualTo("NAME_PUNCTUATION");
  }

  @Test
  void onlyTheConnectorsThatAreAllowedConnect() {
    Names hyphen = new Names(Connectors.of("-"), null);
    assertThat(hyphen.of("a-b").canonical()).isEqualTo("a-b");
    assertThat(refused(hyphen, "a_b").members()).containsEntry("code_point", "U+005F");
  }

  @Test
  void theMintedFormIsReservedWhateverIsAllowed() {
    for (Names names : List.of(strict, connecting, reporting)) {
      assertThat(refused(names, "agent" + SUFFIX).members())
          .containsEntry("reason", "NAME_PUNCTUATION")
          .containsEntry("code_point", "U+002D");
      AgentName name = names.claimed("A gent" + SUFFIX);
      assertThat(name.minted()).isTrue();
      assertThat(name.canonical()).isEqualTo("agent" + SUFFIX);
      assertThat(name.key()).isEqualTo(MintedName.mint("agent", ID).key());
    }
    assertThat(reported).isEmpty();
  }

  @Test
  void aNameThatOnlyResemblesTheMintedFormIsNotOfIt() {
    String versionFour = "agent-018f3b3a-9b5c-4d12-bc01-9a2cfe123456";
    assertThat(connecting.claimed(versionFour).minted()).isFalse();
    assertThat(connecting.claimed("agent_" + ID).minted()).isFalse();
    assertThat(refused(strict, versionFour).members()).containsEntry("reason", "NAME_PUNCTUATION");
  }

  /** So that no number of collisions makes a name longer than a call may have it. */
  @Test
  void aMintedNameThatIsMintedAgainHasOneSuffix() {
    UUID later = UUID.fromString("018f3b3a-9b5c-7d12-bc01-9a2cfe654321");
    String again = MintedName.mint(MintedName.mint("agent", ID).canonical(), later).canonical();
    assertThat(again).isEqualTo("agent-" + later);
  }

  @Test
  void theLongestBaseCanBeMintedAndNoLonger() {
    String base = "a".repeat(AgentName.CANONICAL_CODE_POINTS_MAX);
    assertThat(strict.claimed(base + SUFFIX).canonical()).isEqualTo(base + SUFFIX);
    Refusal refusal =
        catchThrowableOfType(Refusal.class, () -> strict.claimed("a" + base + SUFFIX));
    assertThat(refusal.members()).containsEntry("reason", "NAME_TOO_LONG");
  }

  @ParameterizedTest
  @CsvSource({
    "My-Agent, my-agent, PUNCTUATION",
    "a\uD83E\uDD16, a\uD83E\uDD16, SYMBOL",
    "p\u0430ypal, p\u0430ypal, MIXED_SCRIPT",
    "\uFB01le, \uFB01le, COMPATIBILITY",
    "a\u0301\u0301, \u00E1\u0301, REPEATED_MARK"
  })
  void whatIsReportedPassesAsMappedAndTheReasonIsTold(
      String display, String canonical, Reason reason) {
    AgentName name = reporting.of(display);
    assertThat(name.canonical()).isEqualTo(canonical);
    assertThat(name.key()).isEqualTo(NameKey.of(canonical));
    assertThat(reported).containsExactly(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " a", "\u0301a", "a \u0301"})
  void whatIsNotWellFormedIsRefusedWhereOthersAreReported(String display) {
    refused(reporting, display);
    assertThat(reported).isEmpty();
  }

  @Test
  void lengthsAndWhatNoTextMayContainAreRefusedWhereOthersAreReported() {
    assertThat(refused(reporting, "!".repeat(65)).members())
        .containsEntry("reason", "NAME_TOO_LONG");
    assertThat(refused(reporting, "a".repeat(129)).members())
        .containsEntry("reason", "NAME_TOO_LONG");
    assertThat(refused(reporting, "a\uD800").members()).containsEntry("reason", "NAME_ILL_FORMED");
    assertThat(reported).isEmpty();
  }

  /** No call can name a lease by a text that has one: nobody could renew or release it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"a\u0000", "\u0001a", "a\n", "a\u0085b", "a\u0000" + SUFFIX, "\t" + SUFFIX})
  void controlCharactersAreRefusedWhereOthersAreReported(String display) {
    Refusal refusal = catchThrowableOfType(Refusal.class, () -> reporting.claimed(display));
    assertThat(refusal.members()).containsEntry("reason", "NAME_CONTROL");
    assertThat(reported).isEmpty();
  }

  /** It would hold the key of a name that was minted for somebody else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "agent-Ol8f3b3a-9b5c-7d12-bc01-9a2cfe123456",
        "agent-018f3b3a-9b5c-7d12-bcOl-9a2cfe123456",
        "agent-\u043E18f3b3a-9b5c-7d12-bc01-9a2cfe123456",
        "agent\u2010018f3b3a-9b5c-7d12-bc01-9a2cfe123456",
        "\u05E9-Ol8f3b3a-9b5c-7d12-bc01-9a2cfe123456"
      })
  void whatLooksLikeAMintedNameIsNobodys(String display) {
    Names lenient = new Names(Connectors.of("-"), reported::add);
    for (Names names : List.of(strict, connecting, reporting, lenient)) {
      assertThat(catchThrowableOfType(Refusal.class, () -> names.claimed(display))).isNotNull();
    }
    assertThat(reported).isEmpty();
  }

  @Test
  void aNameDoesNotTellItsKey() {
    assertThat(strict.of("Modern").toString()).contains("modern").doesNotContain("rnodern");
  }

  private static Refusal refused(Names names, String display) {
    return catchThrowableOfType(Refusal.class, () -> names.of(display));
  }
}
