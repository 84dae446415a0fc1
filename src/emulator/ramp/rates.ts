import type { FiatCurrency } from '../../domain/ramp';

/** Fiat for one USDC, in base units of six decimals: roughly the rates of late 2024. */
const RATES: Record<FiatCurrency, bigint> = {
  ARS: 1_005_250_000n,
  BRL: 5_780_000n,
  EUR: 948_000n,
  MXN: 20_250_000n,
  USD: 1_000_000n,
};

const MILLION = 1_000_000n;
/** A rate swings up and down once in an hour of world time. */
const PERIOD_MS = 60 * 60_000;

/** How far a rate is from its table value, in parts per million. */
export interface Drift {
  shiftPpm: number;
  /** The maximum that the swing adds or subtracts. */
  swingPpm: number;
}

export const USUAL_DRIFT: Drift = { shiftPpm: 0, swingPpm: 2_000 };

/** The rate at a time. It depends on world time alone, so a replay gets the same rate. */
export function rateAt(fiatCurrency: FiatCurrency, { shiftPpm, swingPpm }: Drift, at: Date): bigint {
  const phase = at.getTime() % PERIOD_MS;
  // A triangle wave from −swingPpm to swingPpm and back within the period.
  const swing = Math.floor((swingPpm * (PERIOD_MS - 4 * Math.abs(phase - PERIOD_MS / 2))) / PERIOD_MS);
  return (RATES[fiatCurrency] * (MILLION + BigInt(shiftPpm) + BigInt(swing))) / MILLION;
}
