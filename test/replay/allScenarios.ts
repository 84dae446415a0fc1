import { HELD_EVENT_SCENARIOS } from './heldEventScenarios';
import { HINDRANCE_SCENARIOS } from './hindranceScenarios';
import { LANE_SCENARIOS } from './laneScenarios';
import { MESSAGE_SCENARIOS } from './messageScenarios';
import { ONBOARDING_SCENARIOS } from './onboardingScenarios';
import type { RunScenario } from './runScenario';
import { FLOW_SCENARIOS } from './scenarios';
import { SESSION_SCENARIOS } from './sessionScenarios';
import { SWEEP_SCENARIOS } from './sweepScenarios';
import { TRANSACTION_SCENARIOS } from './transactionScenarios';

/** Every scenario that needs no endpoint for events, by the name of its recording. */
export const SCENARIOS: Record<string, RunScenario> = {
  // First, because sessions park webhooks in the list that these record.
  ...HELD_EVENT_SCENARIOS,
  ...FLOW_SCENARIOS,
  ...TRANSACTION_SCENARIOS,
  ...ONBOARDING_SCENARIOS,
  ...MESSAGE_SCENARIOS,
  ...HINDRANCE_SCENARIOS,
  ...SESSION_SCENARIOS,
  ...LANE_SCENARIOS,
  ...SWEEP_SCENARIOS,
};
