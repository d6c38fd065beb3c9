import {
  type CognitoIdentityProviderClient,
  ConfirmForgotPasswordCommand,
  ConfirmSignUpCommand,
  ForgotPasswordCommand,
  GetClientTokenCommand,
  InitiateAuthCommand,
  ResendConfirmationCodeCommand,
  SignUpCommand,
  UpdateAuthEventFeedbackCommand,
} from '@aws-sdk/client-cognito-identity-provider';

export type Known = {
  readonly UserPoolId: string;
  readonly ClientId: string;
  readonly email: string;
  readonly password: string;
  readonly refreshToken: string;
};

/**
 * Cognito's public operations that ask for no access token, called with all that somebody can know: the client, an address with its
 * password, and a refresh token.
 *
 * @returns for each operation or flow the name of the exception, or `answered`
 */
export async function publicAnswers(
  client: CognitoIdentityProviderClient,
  known: Known,
): Promise<Record<string, string>> {
  const { UserPoolId, ClientId, email: Username, password: Password } = known;
  const user = { ClientId, Username };
  const byPassword = { USERNAME: Username, PASSWORD: Password };
  const begin = (AuthFlow: InitiateAuthCommand['input']['AuthFlow'], AuthParameters: Record<string, string>) => () =>
    client.send(new InitiateAuthCommand({ ClientId, AuthFlow, AuthParameters }));
  const calls: Record<string, () => Promise<unknown>> = {
    USER_PASSWORD_AUTH: begin('USER_PASSWORD_AUTH', byPassword),
    USER_AUTH: begin('USER_AUTH', { ...byPassword, PREFERRED_CHALLENGE: 'PASSWORD' }),
    USER_SRP_AUTH: begin('USER_SRP_AUTH', { USERNAME: Username, SRP_A: 'a'.repeat(100) }),
    CUSTOM_AUTH: begin('CUSTOM_AUTH', { USERNAME: Username }),
    REFRESH_TOKEN_AUTH: begin('REFRESH_TOKEN_AUTH', { REFRESH_TOKEN: known.refreshToken }),
    SignUp: () => client.send(new SignUpCommand({ ClientId, Username: `new-${Username}`, Password })),
    ConfirmSignUp: () => client.send(new ConfirmSignUpCommand({ ...user, ConfirmationCode: '123456' })),
    ResendConfirmationCode: () => client.send(new ResendConfirmationCodeCommand(user)),
    ForgotPassword: () => client.send(new ForgotPasswordCommand(user)),
    ConfirmForgotPassword: () =>
      client.send(new ConfirmForgotPasswordCommand({ ...user, Password, ConfirmationCode: '123456' })),
    UpdateAuthEventFeedback: () =>
      client.send(
        new UpdateAuthEventFeedbackCommand({
          UserPoolId,
          Username,
          EventId: 'none',
          FeedbackToken: 'none',
          FeedbackValue: 'Valid',
        }),
      ),
    GetClientToken: () => client.send(new GetClientTokenCommand({ ClientId, Secret: 'a'.repeat(32) })),
  };
  const answers: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) answers[name] = await outcomeOf(call().then(() => 'answered'));
  return answers;
}

/** The text, or the name of the exception. */
export function outcomeOf(asked: Promise<string>): Promise<string> {
  return asked.catch((error: unknown) => (error instanceof Error ? error.name : String(error)));
}
