import { Server } from 'node:tls';
import { gatewayCertificate } from '#service';
import type { GatewayConfiguration } from '#service';

/**
 * Returns what gives new connections of a server the certificate and the key that their files hold now. It
 * does nothing if they are as before or the server has no TLS, and throws `ConfigurationError` if they can't
 * be read or do not belong together; then the server keeps those that it has.
 */
export function renewCertificate(
  server: () => unknown,
  configuration: Pick<GatewayConfiguration, 'GATEWAY_TLS_CERT' | 'GATEWAY_TLS_KEY'>,
): () => Promise<void> {
  let former = gatewayCertificate(configuration);
  return async () => {
    const secured = server();
    const files = gatewayCertificate(configuration);
    if (!(secured instanceof Server) || files === undefined) return;
    if (files.cert === former?.cert && files.key === former?.key) return;
    secured.setSecureContext(files);
    former = files;
  };
}
