import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, pathId, visibleLine, wellFormed } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, check, get, read, replace } from '../../lib/contract/uses.ts';
import { Staff } from '../access/data-subject.ts';
import { AuditEvents } from '../audit/tables.ts';
import { roles } from '../product.ts';
import { UserNotFound } from '../users/errors.ts';
import { keepEntries, readDirectory } from './permissions.ts';
import { SearchName, ShownName } from './schemas.ts';
import { StaffDirectory } from './tables.ts';

const because = 'administration of staff: colleagues find each other, and patients are not in the directory';

export const CrmUser = z.object({
  userId: z.string(),
  /** As patients see it, too; null until an administrator has given one. */
  name: z.nullable(z.string()),
  title: z.nullable(z.string()),
  specialties: z.array(z.string()),
  siteIds: z.array(Id),
  /** As the administration of roles last said; null where it has not. A token says what counts. */
  roles: z.nullable(z.array(z.enum(roles))),
  status: z.enum(['active', 'disabled']),
});

const Title = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(60),
  wellFormed,
  visibleLine,
);
const Specialty = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(100),
  wellFormed,
  visibleLine,
);

export const listCrmUsers = route({
  method: 'GET',
  path: '/crm/users',
  summary: 'The staff directory, by name',
  description:
    '`name` is the beginning of a name: case, accents and punctuation are ignored, and `ü`, `u` and `ue` are ' +
    'equal. People without a name are not in the list.' +
    ' Together: `name` has a letter or a digit beside its punctuation.',
  applications: ['medinfo'],
  auth: readDirectory,
  dataSubject: { each: 'userId', exception: because },
  uses: [read(StaffDirectory)],
  query: z.object({ name: z.optional(SearchName) }),
  cursor: 'place',
  items: CrmUser,
  errors: [ValidationFailed],
});

const ofUser = z.object({ userId: pathId(UserNotFound) });

export const readCrmUser = route({
  method: 'GET',
  path: '/crm/users/{userId}',
  summary: 'What the directory says of a member of staff',
  description:
    "Callers can read their own entry, even if it is empty. For another person's entry they need `crm:admin`; " +
    'without it the answer is 404, as for a person that does not exist.',
  applications: ['medinfo'],
  auth: keepEntries,
  dataSubject: { param: 'userId', exception: because },
  uses: [get(StaffDirectory)],
  params: ofUser,
  response: CrmUser,
  etag: true,
  errors: [UserNotFound],
});

export const updateCrmUser = route({
  method: 'PATCH',
  path: '/crm/users/{userId}',
  summary: 'Changes what the directory says of a member of staff',
  description:
    'Requires `If-Match`. Fields that are left out stay. Callers can change their own title and specialties. The ' +
    "name, which patients see in their access log, and another person's entry need `crm:admin`: without it, a " +
    'request with a name is 403 `FORBIDDEN`.',
  applications: ['medinfo'],
  auth: keepEntries,
  dataSubject: { param: 'userId', exception: because },
  uses: [
    get(StaffDirectory),
    replace(StaffDirectory),
    append(Staff),
    append(AuditEvents),
    get(Accounts),
    check(Accounts),
  ],
  params: ofUser,
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: z.object({
    name: z.optional(ShownName),
    title: z.optional(z.nullable(Title)),
    specialties: z.optional(z.array(Specialty).check(z.maxLength(20))),
  }),
  response: CrmUser,
  etag: true,
  errors: [UserNotFound, PreconditionFailed, PreconditionRequired],
});
