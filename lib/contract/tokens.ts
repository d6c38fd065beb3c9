/** How long an access token lives, and how long an answer about it is kept (decision 6). */
export const tokens = { accessMinutes: 15, authorizerCacheSeconds: 60 };

/**
 * The scope by which an access token opens Cognito's own public API: the password, the second factor, the login's end. No token that
 * leaves a function has it (decision 57).
 */
export const selfServiceScope = 'aws.cognito.signin.user.admin';

/**
 * Seconds from the closing of a user's sign-in until no token of the user works any more. The last token may be issued at
 * the closing. Its life counts, and the time that the authorizer's cache or a running request may add.
 */
export const accessSeconds = tokens.accessMinutes * 60 + tokens.authorizerCacheSeconds;
