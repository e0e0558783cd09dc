import '#islands/ui/password-field.css';
import '#styles/field.css';
import './auth.css';
import '#styles/button.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
