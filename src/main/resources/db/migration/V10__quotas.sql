-- What a tenant may have at most, and how much it may ask for. Null: no quota; as the gateway's
-- configuration says. 0 requests a second is no limit, as in the configuration.
ALTER TABLE tenants
  ADD lease_quota      bigint CHECK (lease_quota >= 0),
  ADD memory_quota     bigint CHECK (memory_quota >= 0),
  ADD pool_quota       bigint CHECK (pool_quota >= 0),
  ADD identifier_quota bigint CHECK (identifier_quota >= 0),
  ADD requests_per_second        bigint CHECK (requests_per_second >= 0),
  ADD burst                      bigint CHECK (burst >= 0),
  ADD tenant_requests_per_second bigint CHECK (tenant_requests_per_second >= 0),
  ADD tenant_burst               bigint CHECK (tenant_burst >= 0);
