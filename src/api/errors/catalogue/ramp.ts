import { entriesOf } from '../entry';

/** Ramp (1107xx). The statuses are not published: 400 is assumed, 409 for an existing session. */
// prettier-ignore
export const RAMP_ERRORS = entriesOf([
  [110700, 'RampAmountOutsideLimits', 400, 'refused', 'The amount is outside the limits of this trade', 'choose an amount within the limits of the ramp configuration'],
  [110701, 'RampQuoteUnavailable', 400, 'refused', 'No provider offers a quote for this request', 'try another amount, payment method, country or currency'],
  [110702, 'RampConfigurationUnsupported', 400, 'refused', 'No provider supports this combination of inputs', 'choose a country, currency and payment method that the ramp supports'],
  [110703, 'RampRefIdUsed', 409, 'resolve', 'A ramp session with this refId already exists', 'look the session up by its refId and adopt it, or choose another refId'],
]);
