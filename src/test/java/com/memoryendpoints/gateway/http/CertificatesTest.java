package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.memoryendpoints.gateway.TestCertificates;
import com.memoryendpoints.gateway.TestCertificates.Identity;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.ClientAuth;
import com.memoryendpoints.gateway.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate is good before it is shown, or the start says what is wrong with which file. */
class CertificatesTest {
  @TempDir private static Path folder;
  private static Identity good;
  private static Identity other;

  @BeforeAll
  static void make() throws Exception {
    good = TestCertificates.make(folder, "good");
    other = TestCertificates.make(folder, "other", "RSA", List.of());
  }

  private static Config.Tls pem(Path certificate, Path key) {
    return new Config.Tls(certificate, key, null, null, ClientAuth.NONE, null, 1);
  }

  private static Config.Tls pkcs12(Path keystore, String password) {
    return new Config.Tls(null, null, keystore, password, ClientAuth.NONE, null, 1);
  }

  private static String refusal(Config.Tls tls) {
    CannotStart refusal = catchThrowableOfType(CannotStart.class, () -> Certificates.load(tls));
    assertThat(refusal.exitCode()).isEqualTo(2);
    return refusal.getMessage();
  }

  @Test
  void bothFormsOfBothKindsOfKeyAreLoaded() throws Exception {
    for (Identity each : List.of(good, other)) {
      assertThat(Certificates.load(pem(each.certificate(), each.privateKey())).expiresAt())
          .isEqualTo(each.x509().getNotAfter().toInstant());
      assertThat(Certificates.load(pkcs12(each.keystore(), "changeit")).expiresAt())
          .isEqualTo(each.x509().getNotAfter().toInstant());
    }
  }

  @Test
  void theChainThatLeadsToItsAuthorityComesBehindIt() throws Exception {
    Identity issued = TestCertificates.makeIssued(folder, "issued");
    assertThat(Files.readString(issued.certificate()).split("BEGIN")).hasSize(3);
    assertThat(Certificates.load(pem(issued.certificate(), issued.privateKey()))).isNotNull();
    assertThat(Certificates.load(pkcs12(issued.keystore(), "changeit"))).isNotNull();
  }

  @Test
  void ofSeveralInOneFileEachIsCheckedAndTheFirstToEndCounts() throws Exception {
    Identity later = TestCertificates.make(folder, "later", "RSA", List.of("-validity", "400"));
    TestCertificates.putBeside(good, later);
    assertThat(Certificates.load(pkcs12(later.keystore(), "changeit")).expiresAt())
        .isEqualTo(good.x509().getNotAfter().toInstant());
    TestCertificates.putBeside(TestCertificates.makeExpired(folder, "past"), later);
    assertThat(refusal(pkcs12(later.keystore(), "changeit"))).contains("expired at");
  }

  @Test
  void aKeyThatIsNotTheCertificatesIsRefused() throws Exception {
    Identity alike = TestCertificates.make(folder, "alike");
    for (Path key : List.of(alike.privateKey(), other.privateKey())) {
      assertThat(refusal(pem(good.certificate(), key)))
          .startsWith("tls.certificate " + good.certificate())
          .contains("another key than tls.private_key");
    }
  }

  @Test
  void anExpiredOneIsRefusedWithItsDay() throws Exception {
    Identity expired = TestCertificates.makeExpired(folder, "expired");
    assertThat(refusal(pkcs12(expired.keystore(), "changeit")))
        .contains("expired at " + expired.x509().getNotAfter().toInstant());
  }

  @Test
  void oneThatIsNotGoodYetIsRefused() throws Exception {
    Identity early = TestCertificates.make(folder, "early", "EC", List.of("-startdate", "+5d"));
    assertThat(refusal(pem(early.certificate(), early.privateKey()))).contains("is valid from");
  }

  @Test
  void whatIsNoCertificateIsRefusedAndNoSecretIsTold() throws Exception {
    Path text = Files.writeString(folder.resolve("text"), "no PEM");
    Path broken =
        Files.writeString(
            folder.resolve("broken"),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assertThat(refusal(pem(text, good.privateKey()))).contains("are not a PEM certificate");
    assertThat(refusal(pem(broken, good.privateKey()))).contains("are not a PEM certificate");
    assertThat(refusal(pem(good.certificate(), text))).contains("a PEM key");
    assertThat(refusal(pkcs12(text, "changeit"))).contains("is not a PKCS#12 file");
    assertThat(refusal(pkcs12(good.keystore(), "hunter2")))
        .contains("tls.keystore_password opens")
        .doesNotContain("hunter2");
    assertThat(refusal(pem(folder.resolve("absent"), good.privateKey())))
        .contains("cannot be read");
  }

  @Test
  void authoritiesThatAreNoneAreRefused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty"), "");
    Path text = Files.writeString(folder.resolve("words"), "no PEM");
    for (Path file : List.of(empty, text)) {
      Config.Tls tls =
          new Config.Tls(
              good.certificate(), good.privateKey(), null, null, ClientAuth.REQUIRED, file, 1);
      assertThat(refusal(tls)).startsWith("tls.client_ca " + file);
    }
  }
}
