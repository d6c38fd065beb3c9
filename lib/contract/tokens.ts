/** How long a token lives, and how long an answer about it is kept (decision 6). */
export const tokens = { accessMinutes: 15, refreshDays: 30, rotationGraceSeconds: 60, authorizerCacheSeconds: 60 };

/**
 * Seconds from the closing of a user's sign-in until no token of the user works any more. The last token may be issued at
 * the closing. Its life counts, and the time that the authorizer's cache or a running request may add.
 */
export const accessSeconds = tokens.accessMinutes * 60 + tokens.authorizerCacheSeconds;
