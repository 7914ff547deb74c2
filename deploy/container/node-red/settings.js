// What Node-RED needs to know here: credentials lie open in flows_cred.json, because they only name variables.
module.exports = { flowFile: "flows.json", credentialSecret: false, uiPort: 1880 };
