package com.memoryendpoints.gateway.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.k8s.Manifests.CloudNativePg;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The overlays that the README tells operators to write. */
class OwnOverlayTest {
  @Test
  void aClusterOfTheOperatorLosesNoCommitAndNamesItsSecrets() throws Exception {
    Manifests all = Overlay.MINE.rendered();
    CloudNativePg cluster = all.the(CloudNativePg.class);
    assertThat(cluster.spec().instances()).isGreaterThanOrEqualTo(3);
    assertThat(cluster.spec().postgresql().synchronous().dataDurability()).isEqualTo("required");
    // Else the standby that is promoted may be the one that lacks the last grants.
    assertThat(cluster.spec().postgresql().synchronous().failoverQuorum()).isTrue();
    assertThat(cluster.spec().imageName()).matches(".*:\\d+\\.\\d+-.*");
    String name = cluster.metadata().getName();
    PodSpec pod = Overlay.gateway(all).getSpec();
    for (Container container : Overlay.containers(pod)) {
      assertThat(container.getEnv())
          .filteredOn(variable -> variable.getName().equals("GATEWAY_DATABASE_URI"))
          .extracting(variable -> variable.getValueFrom().getSecretKeyRef().getName())
          .containsExactly(name + "-app");
    }
    assertThat(pod.getVolumes())
        .filteredOn(volume -> volume.getName().equals("database-ca"))
        .allSatisfy(
            volume -> {
              assertThat(volume.getSecret().getSecretName()).isEqualTo(name + "-ca");
              // The authority's own key lies beside it.
              assertThat(volume.getSecret().getItems()).hasSize(1);
            });
  }

  /** And so leaves its operator and its owner a way in. */
  @Test
  void theGatewaysRoleCannotTakeEveryConnection() throws Exception {
    CloudNativePg cluster = Overlay.MINE.rendered().the(CloudNativePg.class);
    int max = Integer.parseInt(cluster.spec().postgresql().parameters().get("max_connections"));
    assertThat(cluster.spec().bootstrap().initdb().postInitSQL())
        .contains("ALTER ROLE lease_gateway CONNECTION LIMIT " + (max - 10));
  }

  /** A statement that PostgreSQL refuses leaves the operator with a cluster that never starts. */
  @Test
  void whatTheOperatorRunsAfterInitdbIsTakenByPostgreSql() throws Exception {
    CloudNativePg cluster = Overlay.MINE.rendered().the(CloudNativePg.class);
    try (Connection connection = TestServer.shared().connect("postgres");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("CREATE ROLE lease_gateway LOGIN");
      for (String sql : cluster.spec().bootstrap().initdb().postInitSQL()) {
        statement.execute(sql);
      }
      connection.rollback();
    }
  }

  @Test
  void whatPrometheusIsToFindHasItsLabel() throws Exception {
    Manifests all = Overlay.MINE.rendered();
    String label = "kube-prometheus-stack";
    assertThat(all.the(ServiceMonitor.class).getMetadata().getLabels())
        .containsEntry("release", label);
    assertThat(all.the(PrometheusRule.class).getMetadata().getLabels())
        .containsEntry("release", label);
  }

  @Test
  void aSubcommandRunsWithWhatTheGatewaysHave() throws Exception {
    Manifests all = Overlay.MINE_COMMAND.rendered();
    PodSpec gateway = Overlay.gateway(all).getSpec();
    PodSpec command = all.the(Job.class).getSpec().getTemplate().getSpec();
    assertThat(command.getContainers()).hasSize(1);
    Container it = command.getContainers().get(0);
    Container first = gateway.getInitContainers().get(0);
    assertThat(it.getArgs()).containsExactly("anchor-epoch");
    assertThat(it.getImage()).isEqualTo(first.getImage()).contains("@sha256:");
    assertThat(it.getEnvFrom()).isNotEmpty().isEqualTo(first.getEnvFrom());
    assertThat(it.getEnv()).isNotEmpty().isEqualTo(first.getEnv());
    assertThat(it.getVolumeMounts()).isNotEmpty().isEqualTo(first.getVolumeMounts());
    assertThat(command.getVolumes()).isEqualTo(gateway.getVolumes());
    assertThat(command.getRestartPolicy()).isEqualTo("Never");
  }

  /** Else callers are sent to it, and it is counted as a gateway that is to be scaled. */
  @Test
  void aSubcommandIsTakenForNoGateway() throws Exception {
    Manifests all = Overlay.MINE_COMMAND.rendered();
    assertThat(all.the(Job.class).getSpec().getTemplate().getMetadata().getLabels().entrySet())
        .isNotEmpty()
        .doesNotContainAnyElementsOf(
            all.the(Deployment.class).getSpec().getSelector().getMatchLabels().entrySet());
  }
}
