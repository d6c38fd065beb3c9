/** The namespace of all custom metrics: what the functions write and the alarms watch. */
export const metricNamespace = 'MobileHealth';
