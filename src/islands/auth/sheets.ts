/*
 * The style sheets of this island. Its pages import this module and get the styles inline. The components must not
 * import them, because a script that is loaded later would request them as files, which do not exist.
 */
import '#islands/ui/password-field.css';
import '#styles/field.css';
import './auth.css';
import '#styles/button.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
