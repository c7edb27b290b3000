package com.memoryendpoints.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** Certificates of this run, each its own authority, made by the JDK's keytool. */
public final class TestCertificates {
  /** Of every key store. */
  public static final String PASSWORD = "changeit";

  private TestCertificates() {}

  /** Shows a certificate whatever authorities the server names. */
  private static final class Shows extends X509ExtendedKeyManager {
    private final KeyStore.PrivateKeyEntry entry;

    private Shows(Identity identity) throws GeneralSecurityException, IOException {
      entry =
          (KeyStore.PrivateKeyEntry)
              identity
                  .store()
                  .getEntry("it", new KeyStore.PasswordProtection(PASSWORD.toCharArray()));
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {"it"};
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return "it";
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return "it";
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[0];
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return (X509Certificate[]) entry.getCertificateChain();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return entry.getPrivateKey();
    }
  }

  /**
   * One certificate for localhost and its key, in every form that they are kept in.
   *
   * @param keystore PKCS#12
   * @param certificate PEM
   * @param privateKey PEM
   */
  public record Identity(Path keystore, Path certificate, Path privateKey) {

    /** A client's context that believes this identity, and shows another one where there is one. */
    public SSLContext trustedBy(Identity client) throws GeneralSecurityException, IOException {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("server", x509());
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      KeyManager[] keys = client == null ? null : new KeyManager[] {new Shows(client)};
      context.init(keys, trust.getTrustManagers(), null);
      return context;
    }

    /** The certificate. */
    public X509Certificate x509() throws GeneralSecurityException, IOException {
      return (X509Certificate) store().getCertificate("it");
    }

    private KeyStore store() throws GeneralSecurityException, IOException {
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(keystore)) {
        store.load(in, PASSWORD.toCharArray());
      }
      return store;
    }
  }

  /** A certificate that is good today. */
  public static Identity make(Path folder, String name) throws Exception {
    return make(folder, name, "EC", List.of());
  }

  /** A certificate that was good until five days ago. */
  public static Identity makeExpired(Path folder, String name) throws Exception {
    return make(folder, name, "EC", List.of("-startdate", "-10d", "-validity", "5"));
  }

  /** Puts one more certificate and its key into the key store of another. */
  public static void putBeside(Identity one, Identity other) throws Exception {
    KeyStore store = other.store();
    char[] password = PASSWORD.toCharArray();
    Key key = one.store().getKey("it", password);
    store.setKeyEntry("beside", key, password, one.store().getCertificateChain("it"));
    try (OutputStream out = Files.newOutputStream(other.keystore())) {
      store.store(out, password);
    }
  }

  /** A certificate that comes from an authority, which stands behind it in its file. */
  public static Identity makeIssued(Path folder, String name) throws Exception {
    keytool(folder, name, List.of("-alias", "ca", "-keyalg", "EC", "-ext", "bc:c"));
    Identity identity = make(folder, name, "EC", List.of("-signer", "ca"));
    KeyStore store = identity.store();
    store.deleteEntry("ca");
    try (OutputStream out = Files.newOutputStream(identity.keystore())) {
      store.store(out, PASSWORD.toCharArray());
    }
    return identity;
  }

  /**
   * A certificate.
   *
   * @param algorithm RSA or EC
   * @param more for keytool
   */
  public static Identity make(Path folder, String name, String algorithm, List<String> more)
      throws Exception {
    List<String> options = new ArrayList<>(List.of("-alias", "it", "-keyalg", algorithm));
    options.addAll(List.of("-ext", "san=dns:localhost,ip:127.0.0.1"));
    options.addAll(more);
    Path keystore = keytool(folder, name, options);
    Identity identity =
        new Identity(keystore, folder.resolve(name + ".crt"), folder.resolve(name + ".key"));
    StringBuilder chain = new StringBuilder();
    for (Certificate each : identity.store().getCertificateChain("it")) {
      chain.append(pem("CERTIFICATE", each.getEncoded()));
    }
    Files.writeString(identity.certificate(), chain);
    Key key = identity.store().getKey("it", PASSWORD.toCharArray());
    Files.writeString(identity.privateKey(), pem("PRIVATE KEY", key.getEncoded()));
    return identity;
  }

  private static Path keytool(Path folder, String name, List<String> options) throws Exception {
    Path keystore = folder.resolve(name + ".p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-dname", "CN=" + name));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", keystore.toString()));
    command.addAll(options);
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    return keystore;
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }
}
