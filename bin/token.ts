import { AdminInitiateAuthCommand, CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { settings } from '../functions/settings.ts';
import type { Application, Environment } from '../lib/contract/register.ts';
import { capital, createUser, generated, limits } from './create-user.ts';
import { portOf } from './settings.ts';
import { type StageAccess, stageAccess } from './stage-access.ts';

type Options = Readonly<Record<string, string>> & { readonly stage?: Environment };

const ofTests = '@smoke.example.com';

export async function run({ stage, ...options }: Options): Promise<void> {
  if (stage !== undefined) {
    const { user = '', roles = 'patient', application = 'sleepcare', client = 'mobile-app' } = options;
    if (settings[stage].keepsData) throw new Error(`the users that this makes are for tests: not in ${stage}`);
    // Never somebody who is there for another purpose: their password and roles would be replaced.
    const email = user.endsWith(ofTests) ? user : `${user.replaceAll(/[^\w.-]/g, '_')}${ofTests}`;
    const asked = {
      email,
      roles: roles === 'none' ? [] : roles.split(','),
      application: application as Application,
      client,
    };
    console.log(await tokenOf(await stageAccess({ stage }), asked));
    return;
  }
  const origin = `http://${process.env.HOST ?? '127.0.0.1'}:${portOf(process.env)}`;
  const query = new URLSearchParams({ ...options, ...(options.roles === 'none' && { roles: '' }) });
  const answer = await fetch(`${origin}/_local/token?${query}`).catch(() => {
    throw new Error(`no local stage answers at ${origin}; start it (npm start) or set PORT`);
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  console.log(text);
}

type Asked = {
  readonly email: string;
  readonly roles: readonly string[];
  readonly application: Application;
  readonly client: string;
};

/** Makes the user where there is none, with a password that nobody knows, and signs in past our API: no session, no mail. */
export async function tokenOf(access: StageAccess, { email, roles, application, client }: Asked): Promise<string> {
  const password = generated(email);
  await createUser(access, application, { email, password, roles, isPermanent: true, replaces: true });
  const cognito = new CognitoIdentityProviderClient({ ...limits, ...access.client('cognito') });
  const name = client.split('-').map(capital).join('');
  const { AuthenticationResult } = await cognito.send(
    new AdminInitiateAuthCommand({
      UserPoolId: await access.outputs(`${capital(application)}UserPoolId`),
      ClientId: await access.outputs(`${capital(application)}${name}ClientId`),
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  );
  if (!AuthenticationResult?.AccessToken) throw new Error(`the sign-in of ${email} asks for more than a password`);
  return AuthenticationResult.AccessToken;
}
