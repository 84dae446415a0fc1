import { ApplicationFailure, condition } from '@temporalio/workflow';
import { DEVICE_TOKEN_LIFETIME_MS, type DeviceLogin } from '../../src/domain/deviceLogin';
import type { InputRequestName, SealedProvidedInput } from '../../src/domain/inputRequests';
import { LOGIN_REMEDIES } from '../../src/domain/loginRemedy';
import type { Sealed } from '../../src/domain/sealed';
import { localActivities } from '../kit/activities';
import { handleApprovalCredentials, interactiveActivities } from '../kit/approvalCredentials';
import type { Flow } from '../kit/flow';
import type { InputRequest } from '../kit/messageHandlers';
import type { DeviceLoginMethod } from './deviceLoginMethods';

/** A device token with less time left than this is renewed before it is issued. */
const MIN_REMAINING_MS = 60_000;
/** Shorter than the caller of `approval` waits (10 s). */
const RENEWAL_TIMEOUT = '8 seconds';
const DEVICE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A login in progress: the device tokens for the user's browser, the inputs about the login, and finally the user's
 * tokens.
 */
export class LoginAttempt {
  private login: DeviceLogin | undefined;
  /** When the device token was obtained, in epoch milliseconds. */
  private obtainedAt = 0;
  private nextAction: 'restart' | 'resend' | undefined;
  /** The device id for which tokens are being obtained. */
  private obtainingFor: string | undefined;
  private reportedCode: number | undefined;
  private submittedTokens: SealedProvidedInput<'tokens'> | undefined;
  /** Whether the flow checks tokens that `processNext` has returned. `reject` ends the check. */
  private checkingTokens = false;
  private ended = false;
  private readonly unregisterCallbacks: (() => void)[] = [];
  private shownWait = '';
  private appId: string | undefined;

  constructor(
    private readonly flow: Flow,
    private readonly loginMethod: DeviceLoginMethod,
    private deviceId: string | undefined,
  ) {
    if (deviceId !== undefined) this.nextAction = 'restart';
    this.listen();
    this.showWait();
  }

  /** Whether there is anything for `processNext` to do. */
  get hasWork(): boolean {
    return this.nextAction !== undefined || this.reportedCode !== undefined || this.submittedTokens !== undefined;
  }

  /** Acts on the latest inputs. @returns the tokens if the user has logged in */
  async processNext(): Promise<{ tokens: SealedProvidedInput<'tokens'>; deviceId: string } | undefined> {
    const { submittedTokens, reportedCode, nextAction, deviceId } = this;
    // Inputs that arrive from now on are for the next call.
    this.submittedTokens = this.reportedCode = this.nextAction = undefined;
    if (submittedTokens && deviceId !== undefined) {
      this.checkingTokens = true;
      return { tokens: submittedTokens, deviceId };
    }
    if (reportedCode !== undefined) await this.showProblem(reportedCode);
    this.showWait();
    if (nextAction && deviceId !== undefined) await this.obtain(nextAction, deviceId);
    return undefined;
  }

  /** Rejects the user's tokens: the user has to log in again, with a new device token. */
  async reject(code: number): Promise<void> {
    this.login = undefined;
    this.checkingTokens = false;
    await this.showProblem(code);
  }

  /** Stops accepting inputs. */
  end(): void {
    this.ended = true;
    for (const unregister of this.unregisterCallbacks) unregister();
    this.flow.showUserProblem(undefined);
  }

  private async obtain(action: 'restart' | 'resend', deviceId: string): Promise<void> {
    const { loginMethod, login } = this;
    this.obtainingFor = deviceId;
    const canResend = action === 'resend' && login !== undefined && loginMethod.resend !== undefined;
    const result = canResend ? await loginMethod.resend!(deviceId, login) : await loginMethod.start(deviceId);
    if ('login' in result) {
      // Resending the email for the same login does not create a new device token.
      if (result.login.deviceToken !== login?.deviceToken) this.obtainedAt = Date.now();
      this.login = result.login;
      this.flow.showUserProblem(undefined);
    } else {
      if (LOGIN_REMEDIES[result.problem] === 'newDeviceId') this.forgetDevice(deviceId);
      await this.showProblem(result.problem);
    }
    this.obtainingFor = undefined;
    this.showWait();
  }

  private listen(): void {
    handleApprovalCredentials({
      problem: () => this.issueProblem(),
      issue: ({ publicKey }) => this.issueCredentials(publicKey),
    });
    const always = () => true;
    const hasDevice = () => this.deviceId !== undefined;
    this.accepts('deviceId', {
      effect: 'gets what the user needs to log in on this device',
      isOpen: always,
      check: ({ deviceId }) => {
        if (!DEVICE_ID.test(deviceId)) return 'deviceId: is not a device id; pass the UUID that the browser SDK gives';
        return this.isAvailableSoon(deviceId) ? undefined : this.pauseProblem;
      },
      apply: ({ deviceId }) => {
        if (this.isAvailableSoon(deviceId)) return;
        this.deviceId = deviceId;
        this.nextAction = 'restart';
      },
    });
    this.accepts('tokens', {
      effect: 'continues as the user who has logged in',
      isOpen: hasDevice,
      apply: (tokens) => void (this.submittedTokens = tokens),
    });
    this.accepts('clientError', {
      effect: "handles an error that the user's app reported, or shows what the user can do",
      isOpen: always,
      apply: ({ code }) => this.handleClientError(code),
    });
    if (!this.loginMethod.resend) return;
    this.accepts('resendOtp', {
      effect: 'sends the user another email',
      isOpen: hasDevice,
      check: () => this.pauseProblem,
      apply: () => void (this.nextAction ??= 'resend'),
    });
  }

  private accepts<N extends InputRequestName>(name: N, request: InputRequest<N>): void {
    this.unregisterCallbacks.push(this.flow.accepts(name, request));
  }

  /** Whether the user's app has used the login. Its credentials must not be issued again. */
  private get isUsed(): boolean {
    return this.ended || this.checkingTokens || this.submittedTokens !== undefined;
  }

  private issueProblem(): string | undefined {
    if (this.isUsed) return "The user has logged in, and there is nothing to approve yet; check the flow's progress";
    if (this.deviceId === undefined) return "The login is not ready; check the flow's progress";
    return this.isFresh ? undefined : this.pauseProblem;
  }

  /**
   * Issues what the user's browser needs to log in, sealed to the caller's key. Renews a device token that is too old
   * first.
   */
  private async issueCredentials(publicKey: string): Promise<Sealed> {
    this.appId ??= await interactiveActivities(this.flow.start.entity).readAppId();
    if (!this.isFresh && !this.obtainingFor) this.nextAction ??= 'restart';
    await condition(() => this.isUsed || (this.isFresh && !this.obtainingFor), RENEWAL_TIMEOUT);
    const { login, appId, loginMethod } = this;
    if (!login || !this.isFresh || this.isUsed) throw this.refusal();
    const sealed = await localActivities.sealLoginCredentials(login, { publicKey, appId, method: loginMethod.kind });
    // An input may have arrived in the meantime.
    if (this.login !== login || this.isUsed) throw this.refusal();
    return sealed;
  }

  private refusal(): ApplicationFailure {
    const problem = this.issueProblem() ?? "The login is not ready; check the flow's progress, then try again";
    return ApplicationFailure.nonRetryable(problem, 'ApprovalRefused');
  }

  /** Handles a code that the user's app reported. Applies the remedy, unless the user has to request it. */
  private handleClientError(code: number): void {
    this.reportedCode = code;
    const remedy = LOGIN_REMEDIES[code];
    if (remedy === 'wait') this.loginMethod.pause();
    if (remedy === 'newDeviceId') this.forgetDevice(this.deviceId);
    if (remedy === 'restart' && this.deviceId !== undefined && !this.pauseProblem) this.nextAction = 'restart';
  }

  private forgetDevice(deviceId: string | undefined): void {
    if (this.deviceId === deviceId) this.deviceId = this.login = undefined;
  }

  /** Whether the device has a device token that is still fresh, or will have one in a moment. */
  private isAvailableSoon(deviceId: string): boolean {
    if (this.deviceId !== deviceId) return false;
    return this.obtainingFor === deviceId || this.nextAction !== undefined || this.isFresh;
  }

  private get isFresh(): boolean {
    return this.login !== undefined && Date.now() <= this.obtainedAt + DEVICE_TOKEN_LIFETIME_MS - MIN_REMAINING_MS;
  }

  private get pauseProblem(): string | undefined {
    const at = this.loginMethod.nextAllowedAt();
    return at === undefined ? undefined : `No email can be sent before ${new Date(at).toISOString()}; try again then`;
  }

  private async showProblem(code: number): Promise<void> {
    const { name, remedy } = await localActivities.explainCode(code);
    this.flow.showUserProblem({ code, name, remedy });
  }

  private showWait(): void {
    const waitingFor =
      this.deviceId === undefined ? "the device id of the user's browser" : this.loginMethod.waitingFor;
    if (waitingFor !== this.shownWait) this.flow.waitFor(waitingFor);
    this.shownWait = waitingFor;
  }
}
