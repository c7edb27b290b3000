package com.memoryendpoints.gateway.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.k8s.Manifests.CloudNativePg;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What kustomize makes of each overlay, as the API server would get it. */
class OverlaysTest {
  private static final String MAX_CONNECTIONS = "memoryendpoints.com/max-connections";

  /** What the server keeps for superusers, and what is left for people and backups. */
  private static final int CONNECTIONS_KEPT = 10;

  /** Background work, and the schema at start. */
  private static final int CONNECTIONS_BESIDE = 2;

  @ParameterizedTest
  @EnumSource
  void everyFieldIsOneOfItsType(Overlay overlay) throws Exception {
    assertThat(overlay.rendered().all()).hasSizeGreaterThan(9);
  }

  /** The Pod Security Standard "restricted", and what it does not ask for. */
  @ParameterizedTest
  @EnumSource
  void everyPodIsAsRestrictedAsCanBe(Overlay overlay) throws Exception {
    for (PodSpec pod : Overlay.pods(overlay.rendered()).map(PodTemplateSpec::getSpec).toList()) {
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
      assertThat(pod.getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      assertThat(pod.getAutomountServiceAccountToken()).isFalse();
      assertThat(pod.getEnableServiceLinks()).isFalse();
      assertThat(pod.getHostNetwork()).isNull();
      assertThat(pod.getHostPID()).isNull();
      assertThat(pod.getVolumes()).allSatisfy(volume -> assertThat(isLocal(volume)).isTrue());
      for (Container container : Overlay.containers(pod)) {
        var security = container.getSecurityContext();
        assertThat(security.getAllowPrivilegeEscalation()).isFalse();
        assertThat(security.getReadOnlyRootFilesystem()).isTrue();
        assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(security.getCapabilities().getAdd()).isEmpty();
        assertThat(security.getPrivileged()).isNull();
      }
    }
    assertThat(overlay.rendered().of(ServiceAccount.class))
        .allSatisfy(account -> assertThat(account.getAutomountServiceAccountToken()).isFalse());
  }

  /** Memory that is promised is there; a core that is not used is lent. */
  @ParameterizedTest
  @EnumSource
  void memoryIsBoundedAndTheProcessorIsNot(Overlay overlay) throws Exception {
    for (PodTemplateSpec pod : Overlay.pods(overlay.rendered()).toList()) {
      for (Container container : Overlay.containers(pod.getSpec())) {
        Map<String, Quantity> requests = container.getResources().getRequests();
        Map<String, Quantity> limits = container.getResources().getLimits();
        assertThat(limits).containsOnlyKeys("memory");
        assertThat(requests).containsOnlyKeys("cpu", "memory");
        assertThat(limits.get("memory")).isEqualTo(requests.get("memory"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatReadsAConfigMapFindsItAndNoSecretIsMade(Overlay overlay) throws Exception {
    Manifests all = overlay.rendered();
    List<String> maps = all.of(ConfigMap.class).map(map -> map.getMetadata().getName()).toList();
    for (Container container : Overlay.containers(Overlay.gateway(all).getSpec())) {
      assertThat(container.getEnvFrom()).hasSize(1);
      assertThat(maps).contains(container.getEnvFrom().get(0).getConfigMapRef().getName());
      assertThat(container.getEnv())
          .extracting(EnvVar::getName)
          .contains("GATEWAY_DATABASE_URI", "GATEWAY_AUDIT_KEY");
      assertThat(container.getEnv())
          .allSatisfy(
              variable -> assertThat(variable.getValueFrom().getSecretKeyRef()).isNotNull());
    }
    assertThat(Overlay.config(all)).doesNotContainKeys("GATEWAY_DATABASE_URI", "GATEWAY_AUDIT_KEY");
  }

  /** Kubernetes lets one that crashed wait for five minutes in the end, also when all is well. */
  @ParameterizedTest
  @EnumSource
  void aPodThatStartsInAnOutageWaitsAndDoesNotCrash(Overlay overlay) throws Exception {
    List<Container> first = Overlay.gateway(overlay.rendered()).getSpec().getInitContainers();
    assertThat(first).hasSize(1);
    assertThat(first.get(0).getArgs()).hasSize(2).startsWith("migrate");
    assertThat(first.get(0).getArgs().get(1)).matches("--wait=[1-9]\\d{2,4}");
  }

  /** Also while a roll-out has every old pod beside every new one. */
  @ParameterizedTest
  @EnumSource
  void theDatabaseHasAConnectionForEachOfAllPods(Overlay overlay) throws Exception {
    Manifests all = overlay.rendered();
    Map<String, String> config = Overlay.config(all);
    int each =
        Integer.parseInt(config.get("GATEWAY_HTTP_EVENT_LOOPS"))
                * Integer.parseInt(config.get("GATEWAY_DATABASE_CONNECTIONS_PER_EVENT_LOOP"))
            + CONNECTIONS_BESIDE;
    int pods =
        all.of(HorizontalPodAutoscaler.class)
            .map(scaler -> scaler.getSpec().getMaxReplicas())
            .findAny()
            .orElseGet(() -> all.the(Deployment.class).getSpec().getReplicas());

    assertThat(maxConnections(all)).isNotEmpty();
    for (int allowed : maxConnections(all)) {
      assertThat(2 * pods * each + CONNECTIONS_KEPT).isLessThanOrEqualTo(allowed);
    }
  }

  /** preStop, what the configuration says, and 5 s more. */
  @ParameterizedTest
  @EnumSource
  void aPodIsGivenTheTimeThatItNeedsToStop(Overlay overlay) throws Exception {
    PodSpec pod = Overlay.gateway(overlay.rendered()).getSpec();
    long before = pod.getContainers().get(0).getLifecycle().getPreStop().getSleep().getSeconds();
    assertThat(before).isPositive();
    long own =
        Pattern.compile("(?:delay|grace)_seconds = (\\d+)")
            .matcher(Files.readString(Path.of("conf/gateway.conf")))
            .results()
            .mapToLong(seconds -> Long.parseLong(seconds.group(1)))
            .sum();
    assertThat(pod.getTerminationGracePeriodSeconds()).isGreaterThanOrEqualTo(before + own + 5);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSelectedIsThere(Overlay overlay) throws Exception {
    Manifests all = overlay.rendered();
    List<PodTemplateSpec> pods = Overlay.pods(all).toList();
    List<Map<String, String>> labels =
        Stream.concat(
                pods.stream().map(pod -> pod.getMetadata().getLabels()),
                all.of(CloudNativePg.class)
                    .map(cluster -> Map.of("cnpg.io/cluster", cluster.metadata().getName())))
            .toList();
    List<LabelSelector> selectors = new ArrayList<>();
    all.of(Service.class)
        .map(service -> new LabelSelector(List.of(), service.getSpec().getSelector()))
        .forEach(selectors::add);
    all.of(PodDisruptionBudget.class)
        .forEach(budget -> selectors.add(budget.getSpec().getSelector()));
    all.of(NetworkPolicy.class).forEach(policy -> selectors.add(policy.getSpec().getPodSelector()));
    for (LabelSelector selector : selectors) {
      assertThat(selector.getMatchLabels().size() + selector.getMatchExpressions().size()).isOne();
      assertThat(labels).anyMatch(own -> selects(selector, own));
    }
    List<String> ports =
        pods.stream()
            .flatMap(pod -> pod.getSpec().getContainers().stream())
            .flatMap(container -> container.getPorts().stream())
            .map(ContainerPort::getName)
            .toList();
    all.of(Service.class)
        .flatMap(service -> service.getSpec().getPorts().stream())
        .forEach(port -> assertThat(ports).contains(port.getTargetPort().getStrVal()));
  }

  /** One policy denies both directions, and every other adds to it. */
  @ParameterizedTest
  @EnumSource
  void nothingComesOrGoesThatNoPolicyNames(Overlay overlay) throws Exception {
    List<NetworkPolicy> policies = overlay.rendered().of(NetworkPolicy.class).toList();
    NetworkPolicy deny =
        policies.stream()
            .filter(policy -> policy.getMetadata().getName().endsWith("-deny"))
            .findAny()
            .orElseThrow();
    assertThat(deny.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
    assertThat(deny.getSpec().getIngress()).isEmpty();
    assertThat(deny.getSpec().getEgress()).isEmpty();
    assertThat(policies.stream().flatMap(policy -> policy.getSpec().getIngress().stream()))
        .allSatisfy(
            rule -> {
              assertThat(rule.getFrom()).isNotEmpty();
              assertThat(rule.getPorts()).hasSize(1);
            });
    assertThat(policies.stream().flatMap(policy -> policy.getSpec().getEgress().stream()))
        .allSatisfy(rule -> assertThat(rule.getPorts()).isNotEmpty());
  }

  /** Else it does not start: what is reached over a network needs one of the two. */
  @ParameterizedTest
  @EnumSource
  void callersAreServedByTlsOrInPlainTextOnPurpose(Overlay overlay) throws Exception {
    Manifests all = overlay.rendered();
    Map<String, String> config = Overlay.config(all);
    if (overlay == Overlay.DEV) {
      assertThat(config).containsEntry("GATEWAY_HTTP_PLAINTEXT_ALLOWED", "true");
      return;
    }
    assertThat(config).doesNotContainKey("GATEWAY_HTTP_PLAINTEXT_ALLOWED");
    for (String name : List.of("GATEWAY_TLS_CERTIFICATE", "GATEWAY_TLS_PRIVATE_KEY")) {
      String directory = Path.of(config.get(name)).getParent().toString();
      assertThat(Overlay.containers(Overlay.gateway(all).getSpec()))
          .allSatisfy(
              container ->
                  assertThat(container.getVolumeMounts())
                      .anyMatch(mount -> mount.getMountPath().equals(directory)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void everythingIsInOneNamespace(Overlay overlay) throws Exception {
    Manifests all = overlay.rendered();
    String namespace =
        all.the(io.fabric8.kubernetes.api.model.Namespace.class).getMetadata().getName();
    for (Object one : all.all()) {
      if (one instanceof io.fabric8.kubernetes.api.model.HasMetadata manifest
          && !(one instanceof io.fabric8.kubernetes.api.model.Namespace)) {
        assertThat(manifest.getMetadata().getNamespace()).isEqualTo(namespace);
      }
    }
  }

  @Test
  void developmentIsOnePodAndProductionIsSeveral() throws Exception {
    Manifests dev = Overlay.DEV.rendered();
    assertThat(dev.the(Deployment.class).getSpec().getReplicas()).isEqualTo(1);
    assertThat(dev.of(HorizontalPodAutoscaler.class)).isEmpty();
    assertThat(dev.of(StatefulSet.class)).hasSize(1);

    Manifests production = Overlay.PRODUCTION.rendered();
    assertThat(production.the(Deployment.class).getSpec().getReplicas()).isNull();
    assertThat(production.the(HorizontalPodAutoscaler.class).getSpec().getMinReplicas())
        .isGreaterThan(1);
    assertThat(production.of(StatefulSet.class)).isEmpty();
    assertThat(Overlay.config(production))
        .containsEntry("GATEWAY_DATABASE_SSL_MODE", "verify-full");
  }

  private static boolean selects(LabelSelector selector, Map<String, String> labels) {
    return labels.entrySet().containsAll(selector.getMatchLabels().entrySet())
        && selector.getMatchExpressions().stream()
            .allMatch(
                one ->
                    one.getOperator().equals("In")
                        && one.getValues().contains(labels.get(one.getKey())));
  }

  private static boolean isLocal(Volume volume) {
    return volume.getEmptyDir() != null || volume.getSecret() != null;
  }

  /** What is stated of a server of somebody else's, and what ours are set to. */
  private static List<Integer> maxConnections(Manifests all) {
    Stream<Integer> stated =
        all.of(HorizontalPodAutoscaler.class)
            .map(scaler -> scaler.getMetadata().getAnnotations())
            .flatMap(notes -> Optional.ofNullable(notes.get(MAX_CONNECTIONS)).stream())
            .map(Integer::valueOf);
    Stream<Integer> made =
        all.of(CloudNativePg.class)
            .map(cluster -> cluster.spec().postgresql().parameters().get("max_connections"))
            .map(Integer::valueOf);
    Stream<Integer> tried =
        all.of(StatefulSet.class)
            .flatMap(set -> set.getSpec().getTemplate().getSpec().getContainers().stream())
            .flatMap(container -> container.getArgs().stream())
            .filter(argument -> argument.startsWith("max_connections="))
            .map(argument -> Integer.valueOf(argument.substring(argument.indexOf('=') + 1)));
    return Stream.of(stated, made, tried).flatMap(found -> found).toList();
  }
}
