/** What became of pushes, under the dimension `application`. Skipped: out of date, or the device cannot be reached. */
export const pushMetrics = { sent: 'pushesSent', skipped: 'pushesSkipped' } as const;
