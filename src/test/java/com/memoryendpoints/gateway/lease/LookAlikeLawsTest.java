package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.name.NameKey;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that look alike are one name while one of them is held (Invariant 1). */
class LookAlikeLawsTest {
  private static final String SUFFIX = "-018f3b3a-9b5c-7d12-bc01-9a2cfe123456";

  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  @AfterEach
  void forgetImports() {
    GATEWAY.database().run("DELETE FROM imported_agents");
  }

  @ParameterizedTest
  @CsvSource({
    "modern, rnodern",
    "agent1, agentl",
    "login, l0gin",
    "scope, \u0455\u0441\u043E\u0440\u0435",
    "strasse, Stra\u00DFe",
    "ool, \u05D5\u05E1\u05E1",
    "\u03BF\u03B4\u03BF\u03C3, \u039F\u0394\u039F\u03A3"
  })
  void whatLooksLikeAHeldNameIsHeldAndSaysSo(String held, String alike) {
    Lease lease = alice.granted(held, alice.memory());
    Refusal toOwner = refusal(alice.claims(alike, alice.memory()));
    Refusal toStranger = refusal(mallory.claims(alike, mallory.memory()));

    assertThat(toOwner.problem()).isEqualTo(Problem.NAME_HELD);
    assertThat(toOwner.members()).containsEntry("confusable", true).containsKey("holder");
    // A stranger learns that it is held and until when, and not by whom or under which name.
    assertThat(toStranger.problem()).isEqualTo(Problem.NAME_HELD);
    assertThat(toStranger.members()).containsOnlyKeys("confusable", "held_until", "retry_after_ms");
    answer(alice.renews(lease, null));
    answer(alice.releases(lease));
  }

  @Test
  void theNameItselfIsNotCalledConfusable() {
    Lease lease = alice.granted("Plainly Held", alice.memory());
    assertThat(refusal(mallory.claims("PLAINLY HELD", mallory.memory())).members())
        .doesNotContainKey("confusable");
    answer(alice.releases(lease));
  }

  @Test
  void ofLookAlikesClaimedTogetherOneIsGranted() {
    List<Claim> claims =
        Stream.of("corn", "com", "c0m", "CORN", "c orn")
            .map(name -> alice.claim(name, alice.memory()))
            .toList();
    Map<String, Long> outcomes = Answers.outcomes(alice.claimsTogether(claims));
    assertThat(outcomes).isEqualTo(Map.of(Answers.GRANTED, 1L, "NAME_HELD", 4L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeadLookAlikeDoesNotSquat(boolean reaped) {
    Lease lease = alice.granted("agent1" + reaped, alice.memory());
    GATEWAY.lapse(lease.memoryId(), reaped);
    Lease next = mallory.granted("agentl" + reaped, mallory.memory());

    assertThat(next.fencingToken().value()).isGreaterThan(lease.fencingToken().value());
    assertThat(problem(alice.renews(lease, null))).isEqualTo(Problem.LEASE_LAPSED);
    answer(mallory.releases(next));
    Lease back = alice.granted("agent1" + reaped, lease.memoryId());
    assertThat(back.fencingToken().value()).isGreaterThan(next.fencingToken().value());
  }

  /** Renewing and releasing compare canonical names byte for byte, never keys. */
  @Test
  void aLookAlikeOfItsNameDoesNotRenewALease() {
    Lease lease = alice.granted("modest", alice.memory());
    UUID memoryId = lease.memoryId();
    assertThat(problem(alice.renews("rnodest", memoryId, lease.fencingToken(), null)))
        .isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(problem(alice.releases("rnodest", memoryId, lease.fencingToken())))
        .isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(problem(alice.revokesName("rnodest", null))).isEqualTo(Problem.LEASE_NOT_FOUND);
    answer(alice.releases(lease));
  }

  @Test
  void aMintedNameIsClaimedByTheTenantThatItWasMintedForAlone() {
    imported(alice, 2, "elder" + SUFFIX);
    String spelled = "E lder" + SUFFIX.toUpperCase(Locale.ROOT);

    assertNotMinted(mallory.claims("elder" + SUFFIX, mallory.memory()));
    Lease lease = alice.granted(spelled, alice.memory());
    assertThat(lease.canonicalName()).isEqualTo("elder" + SUFFIX);
    answer(alice.renews(lease, null));
    assertNotMinted(mallory.claims("elder" + SUFFIX, mallory.memory()));
    answer(alice.releases(lease));
  }

  @Test
  void whatWasNotMintedIsRefusedAsAnyNameWithAHyphenIs() {
    imported(alice, 1, "keeper" + SUFFIX);
    assertNotMinted(alice.claims("keeper" + SUFFIX, alice.memory()));
    assertNotMinted(alice.claims("nobody" + SUFFIX, alice.memory()));
  }

  /** The name is judged before the memory and before the key, as every name is. */
  @Test
  void aNameThatWasNotMintedIsRefusedBeforeAnUnknownMemory() {
    assertNotMinted(alice.claims("nobody" + SUFFIX, UUID.randomUUID()));
  }

  private static void assertNotMinted(Future<Claimed> claim) {
    Refusal refusal = refusal(claim);
    assertThat(refusal.problem()).isEqualTo(Problem.INVALID_NAME);
    assertThat(refusal.members())
        .isEqualTo(Map.of("reason", "NAME_PUNCTUATION", "code_point", "U+002D"));
  }

  private static void imported(Actor owner, int outcome, String canonicalName) {
    GATEWAY
        .database()
        .run(
            """
            INSERT INTO imported_agents (tenant_id, legacy_id, created_at, outcome, display_name,
              canonical_name, name_key)
            VALUES ('%s', '7', now(), %d, 'Elder', '%s', '%s')
            """
                .formatted(
                    owner.caller().tenantId(), outcome, canonicalName, NameKey.of(canonicalName)));
  }
}
