/** Why a permission lets the caller, or does not. */
export const reasons = ['HELD', 'NOT_HELD', 'UNKNOWN_PERMISSION', 'NO_RELATION', 'CONSENT_MISSING'] as const;
