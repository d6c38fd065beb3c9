import { append, check, get, read, replace } from '../../lib/contract/uses.ts';
import { CareRelations, SitePatients, Sites } from './tables.ts';

/** What a route declares that puts a patient with a site (`makeRelation`). */
export const relationUses = [
  read(CareRelations),
  append(CareRelations),
  append(SitePatients),
  get(Sites),
  check(Sites),
] as const;

/** What a route declares that ends a relation. */
export const endingUses = [read(CareRelations), replace(CareRelations), replace(SitePatients)] as const;
