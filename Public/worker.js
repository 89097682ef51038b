/**
 * The SharedWorker: one hub for all tabs of a browser. The first tab configures it.
 */
import { Hub } from "./hub.js";

let hub = null;

globalThis.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    hub ??= new Hub(data.configuration);
    hub.attach(port); // takes over the port
  };
};
