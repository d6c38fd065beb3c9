import { defaultLimit } from '../../../lib/contract/collection.ts';
import { prefers } from '../../../lib/runtime/accept.ts';
import { Representation } from '../../../lib/runtime/representation.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { fhirType } from '../../questionnaires/rules.ts';
import { searchOwnFhir } from '../routes.ts';
import { searchset } from '../rules/bundle.ts';
import { isResourceType } from '../rules/resource.ts';
import { readResources } from '../stores/read-resources.ts';

export const handler = serve(searchOwnFhir)(async ({ caller, account, query, headers, page: cursors, tables }) => {
  const { _count: count = defaultLimit, _type: types, cursor } = query;
  const from = cursor === undefined ? null : cursors.open(cursor);
  const { ends } = await account();
  const { resources, next } = await readResources(
    { tables, userId: caller.userId, ends },
    { types: types?.split(',').filter(isResourceType), limit: count, from },
  );
  const nextCursor = next && cursors.seal(next);
  const bundle = searchset({ resources, count, types, cursor, nextCursor });
  return prefers(headers.accept, fhirType) ? new Representation(fhirType, bundle) : bundle;
});
