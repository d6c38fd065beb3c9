import * as z from 'zod/mini';
import { AgreementNotFound } from '../../../functions/agreements/errors.ts';
import { Agreements } from '../../../functions/agreements/tables.ts';
import { AgreementVersionNotActive } from '../../../functions/consents/errors.ts';
import { writeOwnConsents } from '../../../functions/consents/permissions.ts';
import { pathId } from '../../../lib/contract/fields.ts';
import { route } from '../../../lib/contract/route.ts';
import { read } from '../../../lib/contract/uses.ts';

/** What the fixtures beside this file get wrong, each in one way. This one is right. */

export const rename = route({
  method: 'POST',
  path: '/things/{thingId}/rename',
  summary: 'Renames a thing',
  applications: ['sleepcare'],
  auth: writeOwnConsents,
  uses: [read(Agreements)],
  params: z.object({ thingId: pathId(AgreementNotFound) }),
  body: z.object({ name: z.string() }),
  response: z.object({ name: z.string() }),
  errors: [AgreementNotFound, AgreementVersionNotActive],
});

export const listThings = route({
  method: 'GET',
  path: '/things',
  summary: 'Lists things',
  applications: ['sleepcare'],
  auth: 'public',
  cursor: 'name',
  items: z.object({ name: z.string() }),
  errors: [],
});

export const countThings = route({
  ...listThings,
  path: '/things/counted',
  metadata: z.object({ unseen: z.int() }),
});

export const minimal = {
  method: 'GET',
  path: '/things/one',
  summary: 'Reads a thing',
  applications: ['sleepcare'],
  auth: 'public',
  response: z.object({ name: z.string() }),
  errors: [],
} as const;
