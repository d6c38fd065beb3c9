import { type Case, request } from '../case.ts';
import type { World } from '../world.ts';

/** A patient's page and timeline, sites and the staff directory, by whoever has no business there. */

type Row = [name: string, bytes: (world: World) => Buffer, status: number, code: Case['code']];

const json = (value: unknown) => ({ body: JSON.stringify(value) });
const sites = '/v2/crm/sites';
const staff = '/v2/crm/users';

const rows: Row[] = [
  [
    'a page of a patient who is not with a site of the physician',
    ({ physician, otherUser }) => request(`GET /v2/crm/patients/${otherUser}`, { token: physician }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'the timeline of a patient who is not with a site of the physician',
    ({ physician, otherUser }) => request(`GET /v2/crm/patients/${otherUser}/timeline`, { token: physician }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'a timeline, by the cursor of another route',
    ({ physician, otherUser, agreementsCursorOfPhysician }) =>
      request(`GET /v2/crm/patients/${otherUser}/timeline?cursor=${agreementsCursorOfPhysician}`, { token: physician }),
    400,
    'INVALID_CURSOR',
  ],
  [
    'a timeline, by the support',
    ({ agent, otherUser }) => request(`GET /v2/crm/patients/${otherUser}/timeline`, { token: agent }),
    403,
    'FORBIDDEN',
  ],
  [
    "a patient's own page, by the patient",
    ({ other, otherUser }) => request(`GET /v2/crm/patients/${otherUser}`, { token: other }),
    401,
    'UNAUTHENTICATED',
  ],
  [
    'a search of sites by a wildcard',
    ({ admin }) => request(`GET ${sites}?name=%25`, { token: admin }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a search of sites by 201 characters',
    ({ admin }) => request(`GET ${sites}?name=${'n'.repeat(201)}`, { token: admin }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a search of sites by 200 ligatures of eighteen letters each',
    ({ admin }) => request(`GET ${sites}?name=${'%EF%B7%BA'.repeat(200)}`, { token: admin }),
    200,
    null,
  ],
  [
    'a search of sites by half a pair of surrogates',
    ({ admin }) => request(`GET ${sites}?name=a%ED%A0%80`, { token: admin }),
    200,
    null,
  ],
  ['a search of sites by a NUL', ({ admin }) => request(`GET ${sites}?name=x%00y`, { token: admin }), 200, null],
  [
    'a search of sites by two names',
    ({ admin }) => request(`GET ${sites}?name=a&name=b`, { token: admin }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a search of sites by name and postal code',
    ({ admin }) => request(`GET ${sites}?name=a&postalCode=1`, { token: admin }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a site is deleted, by the support',
    ({ agent }) => request(`DELETE ${sites}/example-site`, { token: agent, lines: ['If-Match: *'] }),
    403,
    'FORBIDDEN',
  ],
  [
    "a site's code is renewed, by a physician",
    ({ physician }) => request(`POST ${sites}/example-site/code`, { token: physician }),
    403,
    'FORBIDDEN',
  ],
  [
    'a main site that the patient is not with',
    ({ patient }) => request('PATCH /de/v1/users/me/sites/example-site', { token: patient, ...json({ main: true }) }),
    404,
    'SITE_NOT_FOUND',
  ],
  [
    "a colleague's entry",
    ({ physician, otherUser }) => request(`GET ${staff}/${otherUser}`, { token: physician }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    "a title in a patient's name, by a physician",
    ({ physician, otherUser }) =>
      request(`PATCH ${staff}/${otherUser}`, { token: physician, lines: ['If-Match: "1"'], ...json({ title: 'x' }) }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'a patient is put into the directory, by an administrator',
    ({ admin, otherUser }) =>
      request(`PATCH ${staff}/${otherUser}`, { token: admin, lines: ['If-Match: "1"'], ...json({ name: 'x' }) }),
    404,
    'USER_NOT_FOUND',
  ],
  [
    'the directory, by a wildcard',
    ({ physician }) => request(`GET ${staff}?name=%25`, { token: physician }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'the directory, by a caller without a role',
    ({ nobody }) => request(`GET ${staff}`, { token: nobody }),
    403,
    'FORBIDDEN',
  ],
  ['the directory, by a patient', ({ patient }) => request(`GET ${staff}`, { token: patient }), 401, 'UNAUTHENTICATED'],
];

export const care: readonly Case[] = rows.map(([name, bytes, status, code]) => ({ name, bytes, status, code }));
