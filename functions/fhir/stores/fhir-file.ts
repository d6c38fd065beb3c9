import type { Accounts } from '../../../lib/contract/accounts.ts';
import type { Position } from '../../../lib/contract/collection.ts';
import { readAccount } from '../../../lib/runtime/accounts.ts';
import type { ExportWriter } from '../../../lib/runtime/exporter.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { entriesOfFile, footOfFile, headOfFile } from '../rules/bundle.ts';
import type { FhirDependencies } from './dependencies.ts';
import { readResources } from './read-resources.ts';

/** Resources at a time. */
const pageResources = 50;

/** `fhir.json` of a personal export: a Bundle of all. Of somebody who is no patient it is empty. */
export const writeFhirFile: ExportWriter<
  FhirDependencies['tables'] & { readonly Accounts: Handle<typeof Accounts, 'get'> }
> = async (from, person, after) => {
  const head = after === null ? headOfFile : '';
  if (person.application !== 'sleepcare') return { text: head + footOfFile(true), next: null };
  const { tables } = from;
  const { userId } = person;
  const { ends } = await readAccount({ table: tables.Accounts, userId });
  const deps = { tables, userId, ends };
  const asked = { types: undefined, limit: pageResources, from: after as Position | null };
  const { resources, next } = await readResources(deps, asked);
  // The patient is the first of all: the file is begun, and no page but the first is before it.
  const text = head + entriesOfFile(resources, after === null) + (next === null ? footOfFile(false) : '');
  return { text, next };
};
