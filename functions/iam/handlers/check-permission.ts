import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { namesHeld } from '../../../lib/contract/permissions.ts';
import { tableIn } from '../../../lib/runtime/clients.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { writeLine } from '../../../lib/runtime/log.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { type Reads, readPerson, readStaff, reportedBy } from '../../access/reads.ts';
import { permissions } from '../../generated/iam-permissions.ts';
import { dataSharing } from '../../product.ts';
import { checkPermission } from '../routes.ts';
import { decide } from '../rules/check.ts';

export const handler = serve(checkPermission)(async ({ body, caller, application }) => {
  const held = namesHeld(permissions, { roles: caller.roles, application });
  const found = {
    isKnown: permissions.some(({ name }) => name === body.permission),
    isHeld: held.some((name) => name === body.permission),
  };
  // A caller without the permission learns nothing about the patient.
  if (body.about === undefined || !found.isHeld) return decide({ ...found, person: null });
  const inDoubt = reportedBy((line, metrics) =>
    writeLine(lambda.write, { ...line, application }, lambda.realNow(), metrics),
  );
  const reads: Reads = { handleOf: (table) => tableIn(lambda.variables, table), inDoubt };
  const [{ sites }, person] = await Promise.all([
    readStaff(reads, caller.userId),
    readPerson(reads, body.about, dataSharing),
  ]);
  const isPatient = person.isOpen && person.sites.some(({ siteId }) => sites.includes(siteId));
  if (isPatient && person.isInDoubt) throw new Failure(Unavailable);
  return decide({ ...found, person: { isPatient, isConsenting: person.consent !== null } });
});
