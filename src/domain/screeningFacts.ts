/**
 * What the screening of a transaction found, without the screened address and the vendor's response
 * (docs/api-behavior.md#screening). Whoever learns of it could warn the person concerned, so it stands only in a flow's
 * outcome (docs/security.md#where-screening-results-go).
 */
export interface ScreeningFacts {
  /** The rule of the Compliance Engine that was hit. */
  ruleName?: string;
  /** Such as `DENY`, `REVIEW`, `FREEZE_WALLET`. */
  actions?: string[];
  reasons?: RiskSignal[];
}

export interface RiskSignal {
  /** What was screened: `ADDRESS`, `BLOCKCHAIN`, `ASSET`. */
  source?: string;
  /** Such as `HIGH`, `SEVERE`, `BLOCKLIST`. */
  riskScore?: string;
  /** Such as `SANCTIONS`. */
  riskCategories?: string[];
  /** `OWNERSHIP`, `COUNTERPARTY`, `INDIRECT`. */
  type?: string;
}

/** An evaluation as a read or a webhook shows it. */
interface Evaluation extends ScreeningFacts {
  reasons?: (RiskSignal & { sourceValue?: string })[];
}

export function screeningFacts(evaluation: Evaluation | undefined): ScreeningFacts | undefined {
  if (!evaluation) return undefined;
  const { ruleName, actions, reasons } = evaluation;
  return {
    ...(ruleName !== undefined && { ruleName }),
    ...(actions && { actions }),
    ...(reasons && {
      reasons: reasons.map(({ source, riskScore, riskCategories, type }) => ({
        source,
        riskScore,
        riskCategories,
        type,
      })),
    }),
  };
}
