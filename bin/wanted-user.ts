import { parseArgs } from 'node:util';
import { type Application, applications, type Environment, environmentNamed } from '../lib/contract/deployments.ts';
import { rolesOf } from '../lib/contract/roles.ts';

/** The user whom `npm run create-user` is to make, as its arguments say. */

const usage =
  'npm run create-user -- --stage dev|staging|prod --application sleepcare|medinfo --email E --roles R,… ' +
  '[--password-stdin] [--user-pool id]';

export type WantedUser = {
  readonly stage: Environment;
  readonly application: Application;
  readonly email: string;
  readonly roles: readonly string[];
  /** Whether the password comes by standard input. */
  readonly isGiven: boolean;
  readonly userPool: string | undefined;
};

/** @throws an Error that says what is wrong with the arguments */
export function wantedBy(args: readonly string[]): WantedUser {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stage: { type: 'string' },
      application: { type: 'string' },
      email: { type: 'string' },
      roles: { type: 'string' },
      'password-stdin': { type: 'boolean' },
      'user-pool': { type: 'string' },
    },
  });
  const { stage: named, email } = values;
  const application = applications.find((name) => name === values.application);
  if (!named || !application || !email || values.roles === undefined) throw new Error(usage);
  const stage = environmentNamed(named);
  const roles = values.roles.split(',').filter(Boolean);
  const known = rolesOf(application, stage);
  const stranger = roles.find((role) => !known.some((each) => each === role));
  if (stranger) {
    throw new Error(`${application} has no role ${JSON.stringify(stranger)} in ${stage}: ${known.join(', ')}`);
  }
  const isGiven = values['password-stdin'] === true;
  return { stage, application, email, roles, isGiven, userPool: values['user-pool'] };
}
