package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.PfxOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * What the API shows to prove who it is, and whose certificates callers may show: read from the
 * configured files at one moment, and good at that moment.
 */
final class Certificates {
  private static final Set<String> PROTOCOLS = Set.of("TLSv1.3");

  private static final String OF_ANOTHER_KEY =
      "is the certificate of another key than tls.private_key";

  /** A key's algorithm, and how it signs. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private final Config.Tls tls;
  private final Map<Path, Buffer> files = new LinkedHashMap<>();
  private final KeyCertOptions key;
  private final @Nullable PemTrustOptions trusted;
  private final Instant expiresAt;

  private Certificates(Config.Tls tls, @Nullable Certificates before) {
    this.tls = tls;
    Path certificate = tls.certificate();
    Path privateKey = tls.privateKey();
    Path keystore = tls.keystore();
    if (certificate != null && privateKey != null) {
      this.key =
          new PemKeyCertOptions().setCertValue(read(certificate)).setKeyValue(read(privateKey));
    } else if (keystore != null) {
      this.key = new PfxOptions().setPassword(tls.keystorePassword()).setValue(read(keystore));
    } else {
      throw new IllegalArgumentException("neither PEM nor PKCS#12");
    }
    this.trusted = tls.clientCa() == null ? null : trusted(tls.clientCa());
    this.expiresAt = before != null && areSame(before) ? before.expiresAt : checkedExpiry();
  }

  /**
   * Reads the files and checks them against each other and against the machine's clock. Blocks.
   *
   * @throws CannotStart with the key, the file and what is wrong with it
   */
  static Certificates load(Config.Tls tls) {
    return new Certificates(tls, null);
  }

  /**
   * Reads the files again, and checks them if anything in them is new: what has been shown since it
   * was good stays, also when its time is over. Blocks.
   *
   * @throws CannotStart with the key, the file and what is wrong with it
   */
  Certificates again() {
    return new Certificates(tls, this);
  }

  /** When the server's certificate, or the first of several, is good no longer. */
  Instant expiresAt() {
    return expiresAt;
  }

  /** Whether the files of the other one hold the same, to the byte. */
  boolean areSame(Certificates other) {
    return files.equals(other.files);
  }

  /** Makes a server speak TLS 1.3 with these, with HTTP/2 for whoever asks for it. */
  HttpServerOptions applyTo(HttpServerOptions options) {
    options
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(PROTOCOLS)
        .setSslHandshakeTimeout(Limits.TLS_HANDSHAKE_SECONDS_MAX)
        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
        .setKeyCertOptions(key)
        .setClientAuth(ClientAuth.valueOf(tls.clientAuth().name()));
    return trusted == null ? options : options.setTrustOptions(trusted);
  }

  /** The same for a server that listens already. */
  ServerSSLOptions options() {
    return applyTo(new HttpServerOptions()).getSslOptions();
  }

  private Buffer read(Path file) {
    try {
      Buffer bytes = Buffer.buffer(Files.readAllBytes(file));
      files.put(file, bytes);
      return bytes;
    } catch (IOException e) {
      throw CannotStart.misconfigured(file + " cannot be read: " + e.getMessage() + ".", e);
    }
  }

  private PemTrustOptions trusted(Path file) {
    Buffer pem = read(file);
    try {
      var all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem.getBytes()));
      if (!all.isEmpty()) {
        return new PemTrustOptions().addCertValue(pem);
      }
    } catch (CertificateException e) {
      throw wrong("client_ca", file, "is not a PEM file of certificates", e);
    }
    throw wrong("client_ca", file, "is not a PEM file of certificates");
  }

  private Instant checkedExpiry() {
    String name = tls.keystore() == null ? "certificate" : "keystore";
    Path file = tls.keystore() == null ? tls.certificate() : tls.keystore();
    X509KeyManager manager = manager(name, file);
    // Which of them is shown depends on the caller.
    return SIGNATURES.keySet().stream()
        .map(algorithm -> manager.getServerAliases(algorithm, null))
        .flatMap(aliases -> aliases == null ? Stream.empty() : Stream.of(aliases))
        .map(alias -> checkedExpiry(name, file, manager, alias))
        .min(Comparator.naturalOrder())
        .orElseThrow(
            () -> wrong(name, file, "has no certificate with an RSA or EC key of its own"));
  }

  private static Instant checkedExpiry(
      String name, @Nullable Path file, X509KeyManager manager, String alias) {
    X509Certificate certificate = manager.getCertificateChain(alias)[0];
    if (!areOneAnothers(certificate, manager.getPrivateKey(alias))) {
      throw wrong(name, file, OF_ANOTHER_KEY);
    }
    Instant until = certificate.getNotAfter().toInstant();
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw wrong(name, file, "expired at " + until, e);
    } catch (CertificateNotYetValidException e) {
      throw wrong(name, file, "is valid from " + certificate.getNotBefore().toInstant(), e);
    }
    return until;
  }

  private X509KeyManager manager(String name, @Nullable Path file) {
    try {
      // The bytes are here already, so there is no file that Vert.x would have to look for.
      return (X509KeyManager) key.getKeyManagerFactory(null).getKeyManagers()[0];
    } catch (Exception e) {
      throw wrong(name, file, unreadable(e), e);
    }
  }

  private String unreadable(Exception e) {
    if (tls.keystore() != null) {
      return "is not a PKCS#12 file that tls.keystore_password opens";
    }
    // The JDK looks at their kinds before anybody else can look at the two.
    return e instanceof IllegalArgumentException
            && String.valueOf(e.getMessage()).contains("does not match algorithm of public key")
        ? OF_ANOTHER_KEY
        : "and tls.private_key "
            + tls.privateKey()
            + " are not a PEM certificate and a PEM key (RSA or EC, without a password)";
  }

  private static boolean areOneAnothers(X509Certificate certificate, PrivateKey key) {
    try {
      byte[] text = certificate.getTBSCertificate();
      Signature signature = Signature.getInstance(SIGNATURES.get(key.getAlgorithm()));
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static CannotStart wrong(String name, @Nullable Path file, String what) {
    return CannotStart.misconfigured(text(name, file, what));
  }

  private static CannotStart wrong(String name, @Nullable Path file, String what, Throwable cause) {
    return CannotStart.misconfigured(text(name, file, what), cause);
  }

  private static String text(String name, @Nullable Path file, String what) {
    return "tls." + name + " " + file + " " + what + ".";
  }
}
