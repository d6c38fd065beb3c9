/** How long a token lives and an answer about it is kept (decision 6). */
export const tokens = { accessMinutes: 15, refreshDays: 30, rotationGraceSeconds: 60, authorizerCacheSeconds: 60 };

/**
 * Seconds from the closing of a user's sign-in until nothing can be done by a token that was issued at the last moment:
 * its life, and as much again as the authorizer's cache or a request that is under way may add.
 */
export const accessSeconds = tokens.accessMinutes * 60 + tokens.authorizerCacheSeconds;
