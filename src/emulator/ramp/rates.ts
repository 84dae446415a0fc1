import type { FiatCurrency } from '../../domain/ramp';

/** Fiat for one USDC, base units of six decimals: about what they were in late 2024. */
const RATES: Record<FiatCurrency, bigint> = {
  ARS: 1_005_250_000n,
  BRL: 5_780_000n,
  EUR: 948_000n,
  MXN: 20_250_000n,
  USD: 1_000_000n,
};

const MILLION = 1_000_000n;
/** A rate swings once up and down in an hour of the world's clock. */
const PERIOD_MS = 60 * 60_000;

/** How a rate differs from its table, in parts per million. */
export interface Drift {
  shiftPpm: number;
  /** Most that the swing adds or takes. */
  swingPpm: number;
}

export const USUAL_DRIFT: Drift = { shiftPpm: 0, swingPpm: 2_000 };

/** The rate at a time: the clock alone moves it, so that the same time gives the same rate. */
export function rateAt(fiatCurrency: FiatCurrency, { shiftPpm, swingPpm }: Drift, at: Date): bigint {
  const phase = at.getTime() % PERIOD_MS;
  // A triangle from −1 to 1 and back, in whole quarters of the period.
  const swing = Math.floor((swingPpm * (PERIOD_MS - 4 * Math.abs(phase - PERIOD_MS / 2))) / PERIOD_MS);
  return (RATES[fiatCurrency] * (MILLION + BigInt(shiftPpm) + BigInt(swing))) / MILLION;
}
