import { parseArgs } from 'node:util';
import { applications, environments, rolePlaces } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { Email } from '../lib/contract/fields.ts';
import type { Application, Environment } from '../lib/contract/register.ts';
import { rolesOf } from '../lib/contract/roles.ts';

/** The user that `npm run create-user` makes, from its arguments. */

const usage =
  'npm run create-user -- --stage dev|staging|prod --application sleepcare|medinfo --email E --roles R,… ' +
  '[--password-stdin | --existing]; --local in place of --stage for the running local one';

export type WantedUser = {
  /** Undefined for the running local stage. */
  readonly stage: Environment | undefined;
  readonly application: Application;
  readonly email: string;
  readonly roles: readonly string[];
  /** Whether the password comes from standard input. */
  readonly isGiven: boolean;
  /** Whether the user is in the staff's pool already, with a password, and gets only a row. */
  readonly exists: boolean;
};

/** @throws an Error that says what is wrong with the arguments */
export function wantedBy(args: readonly string[]): WantedUser {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stage: { type: 'string' },
      local: { type: 'boolean' },
      application: { type: 'string' },
      email: { type: 'string' },
      roles: { type: 'string' },
      'password-stdin': { type: 'boolean' },
      existing: { type: 'boolean' },
    },
  });
  const { stage: named, local: isLocal = false } = values;
  // One form of an address everywhere: the functions find the user only by the form that they make of it.
  const { success: isAddress, data: email } = Email.safeParse(values.email);
  const application = applications.find((name) => name === values.application);
  if (isLocal === (named !== undefined) || named === '' || !application || !isAddress || values.roles === undefined)
    throw new Error(usage);
  const stage = named === undefined ? undefined : environmentNamed(environments, named);
  const roles = values.roles.split(',').filter(Boolean);
  const known = rolesOf(rolePlaces, application, stage ?? 'dev');
  const stranger = roles.find((role) => !known.some((each) => each === role));
  if (stranger) {
    throw new Error(`${application} has no role ${JSON.stringify(stranger)} in ${stage ?? 'dev'}: ${known.join(', ')}`);
  }
  const isGiven = values['password-stdin'] === true;
  const exists = values.existing === true;
  if (exists && (isGiven || application !== 'medinfo'))
    throw new Error('--existing is for users of medinfo, who keep their password');
  return { stage, application, email, roles, isGiven, exists };
}
