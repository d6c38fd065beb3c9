import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Stack } from 'aws-cdk-lib/core';
import type { Settings } from '../contract/settings.ts';

/** Of one notification. */
const mostAddresses = 10;

/**
 * Tells the addresses of the alarms when the account's costs of a month come near to what was expected. Tags of costs are known
 * only where somebody activates them, so it is about the whole account. Two budgets of an account are free. It has no
 * name of ours, since another address replaces it.
 * https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-managing-costs.html
 */
export function addBudget(
  stack: Stack,
  { alarmEmails, monthlyBudget }: Pick<Settings, 'alarmEmails' | 'monthlyBudget'>,
): void {
  if (!alarmEmails?.length || monthlyBudget === null) return;
  const subscribers = alarmEmails.slice(0, mostAddresses).map((address) => ({ subscriptionType: 'EMAIL', address }));
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE', threshold },
    subscribers,
  });
  new CfnBudget(stack, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}
