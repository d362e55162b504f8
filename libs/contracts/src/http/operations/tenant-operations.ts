import { patchTypes } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { pageQuery } from '../page.ts';
import { tenant, tenantBody, tenantPage } from '../tenant.ts';

const list = '/v1/tenants';
const path = `${list}/{tenant}` as const;
const shown = { description: 'The tenant.', json: tenant } as const;

export const tenantOperations = {
  listTenants: {
    method: 'GET',
    path: list,
    needs: 'admin',
    tag: 'tenants',
    summary: 'Lists the tenants',
    description: 'Lists the tenants by name, with what they have.',
    query: pageQuery,
    responses: { 200: { description: 'A page of tenants.', json: tenantPage } },
    problems: [],
  },
  putTenant: {
    method: 'PUT',
    path,
    needs: 'admin',
    tag: 'tenants',
    summary: 'Creates or changes a tenant',
    description:
      'Creates a tenant (201), whose collections have names that begin with its name and a dot, or ' +
      'replaces its limits and its suspension (200). A second later no gateway responds to a request about ' +
      "a suspended tenant's collections.",
    body: { required: false, json: { schema: tenantBody, types: ['application/json'] } },
    responses: { 200: shown, 201: { description: 'The new tenant.', json: tenant } },
    problems: [],
  },
  patchTenant: {
    method: 'PATCH',
    path,
    needs: 'admin',
    tag: 'tenants',
    summary: 'Changes a part of a tenant',
    description:
      'Changes the limits or the suspension that a merge patch names (RFC 7396); `null` takes a limit ' +
      'away, so that it is as the settings say.',
    body: { required: true, json: { schema: tenantBody, types: patchTypes } },
    responses: { 200: shown },
    problems: ['tenant-not-found', 'invalid-patch'],
  },
  readTenant: {
    method: 'GET',
    path,
    needs: 'admin',
    tag: 'tenants',
    summary: 'Reads a tenant',
    description: 'Reads what a tenant has and may have.',
    responses: { 200: shown },
    problems: ['tenant-not-found'],
  },
  removeTenant: {
    method: 'DELETE',
    path,
    needs: 'admin',
    tag: 'tenants',
    summary: 'Removes a tenant',
    description: 'Removes a tenant that has no collections.',
    responses: { 204: { description: 'It is removed.' } },
    problems: ['tenant-not-found', 'tenant-in-use'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
