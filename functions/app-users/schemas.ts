/** Of an account of the sleep-care app. */
export const statuses = ['active', 'disabled'] as const;
